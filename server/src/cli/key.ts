import { OperatorError } from '../operator-error.ts';
import { createKey, revokeKey, walkKeys } from '../tenants/keys.ts';
import { argument, command, id, type Noun, option, text } from './command.ts';
import { note } from './output.ts';

export const keyCommands: Noun = {
  name: 'key',
  description: 'create, list and revoke the API keys of a tenant',
  commands: [
    command({
      name: 'create',
      about: 'tenant',
      changes: true,
      description: 'create an API key; the key is shown only once',
      example: 'key create --tenant my-shop --label inventory',
      // In code points, like the name of a product.
      options: { label: option('--label <text>', 'what the key is for', text(500), '') },
      run: ({ database, tenant, options }) => createKey(database, tenant.id, options.label, new Date()),
      text({ key, id }) {
        note(`Store this key now: it is not shown again. Its id is ${id}.`);
        return key;
      },
    }),
    command({
      name: 'list',
      about: 'tenant',
      summary: 'list the API keys by id and label; the keys themselves are not stored',
      description:
        'list the API keys by id and label; the keys themselves are not stored. The time of the last use is at most a minute old.',
      example: 'key list --tenant my-shop',
      run: ({ database, tenant }) => walkKeys(database, tenant.id),
      table: {
        header: ['ID', 'CREATED', 'LAST USED', 'REVOKED', 'LABEL'],
        row: (key) => [key.id, key.created_at, key.last_used_at ?? '-', key.revoked_at ?? '-', key.label],
        empty: () => 'The tenant has no API keys.',
      },
    }),
    command({
      name: 'revoke',
      about: 'tenant',
      changes: true,
      description: 'revoke an API key; the server rejects it from the next request on',
      example: 'key revoke ID --tenant my-shop',
      arguments: [argument('<id>', 'id of the key', id)],
      async run({ database, tenant, hint }, id) {
        const revoked = await revokeKey(database, tenant.id, id, new Date());
        if (revoked) return revoked;
        const list = hint(`key list --tenant ${tenant.slug}`);
        throw new OperatorError(`the tenant ${tenant.slug} has no API key ${id}. List its keys with ${list}.`);
      },
      text: (_key, _context, id) => `Revoked API key ${id}.`,
    }),
  ],
};
