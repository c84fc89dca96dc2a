import type { Command } from 'commander';
import type { Knex } from 'knex';
import { commandHint } from '../database/address.ts';
import { type ApiKey, createKey, revokeKey, walkKeys } from '../tenants/keys.ts';
import type { Tenant } from '../tenants/store.ts';
import { withTenantChange } from './change.ts';
import { type TenantOptions, tenantCommand, withTenant } from './database.ts';
import { id, text } from './options.ts';
import { CommandFailure, note, print, printJson, printPages } from './output.ts';

/** In code points, like the name of a product. */
const longestLabel = 500;

export function addKeyCommands(program: Command): void {
  const key = program.command('key').description('create, list and revoke the API keys of a tenant');

  tenantCommand(key, 'create')
    .description('create an API key; the key is shown only once')
    .option('--label <text>', 'what the key is for', text(longestLabel), '')
    .action(async (options: TenantOptions & { label: string }, command: Command) => {
      const made = await withTenantChange(command, (transaction, tenant) =>
        createKey(transaction, tenant.id, options.label, new Date()),
      );
      if (options.json) printJson(made);
      else {
        print(made.key);
        note(`Store this key now: it is not shown again. Its id is ${made.id}.`);
      }
    });

  tenantCommand(key, 'list')
    .summary('list the API keys by id and label; the keys themselves are not stored')
    .description(
      'list the API keys by id and label; the keys themselves are not stored. The time of the last use is at most a minute old.',
    )
    .action((options: TenantOptions) =>
      withTenant(options, (database, tenant) =>
        printPages(walkKeys(database, tenant.id), {
          json: options.json,
          header: ['ID', 'CREATED', 'LAST USED', 'REVOKED', 'LABEL'],
          row: (each) => [each.id, each.created_at, each.last_used_at ?? '-', each.revoked_at ?? '-', each.label],
          whenEmpty: 'The tenant has no API keys.',
        }),
      ),
    );

  tenantCommand(key, 'revoke')
    .argument('<id>', 'id of the key', id)
    .description('revoke an API key; the server rejects it from the next request on')
    .action(async (id: string, options: TenantOptions, command: Command) => {
      const revoked = await withTenantChange(command, (transaction, tenant) =>
        revoke(transaction, tenant, id, options),
      );
      if (options.json) printJson(revoked);
      else print(`Revoked API key ${id}.`);
    });
}

async function revoke(
  transaction: Knex.Transaction,
  tenant: Tenant,
  id: string,
  { database }: TenantOptions,
): Promise<ApiKey> {
  const revoked = await revokeKey(transaction, tenant.id, id, new Date());
  if (revoked) return revoked;
  const hint = commandHint(`key list --tenant ${tenant.slug}`, database);
  throw new CommandFailure(`the tenant ${tenant.slug} has no API key ${id}. List its keys with ${hint}.`);
}
