import type { Command } from 'commander';
import { createKey, listKeys, revokeKey } from '../tenants/keys.ts';
import { type AdministrationOptions, administration, requireTenant, withDatabase } from './database.ts';
import { CommandFailure, print, printJson, printTable } from './output.ts';

type KeyOptions = AdministrationOptions & { tenant: string };

export function addKeyCommands(program: Command): void {
  const key = program.command('key').description('API keys of a tenant');

  keyCommand(key, 'create')
    .description('make a key; it is shown this once and cannot be shown again')
    .option('--label <text>', 'what the key is for', '')
    .action(async (options: KeyOptions & { label: string }) => {
      const made = await withDatabase(options, async (database) => {
        const tenant = await requireTenant(database, options.tenant);
        return createKey(database, tenant.id, options.label, new Date());
      });
      if (options.json) printJson(made);
      else print(made.key, `This is the only time that the key is shown. Its id is ${made.id}.`);
    });

  keyCommand(key, 'list')
    .description('list the keys, without the keys themselves')
    .action(async (options: KeyOptions) => {
      const keys = await withDatabase(options, async (database) => {
        const tenant = await requireTenant(database, options.tenant);
        return listKeys(database, tenant.id);
      });
      if (options.json) printJson({ items: keys });
      else {
        const rows = keys.map(({ id, label, created_at, revoked_at }) => [id, created_at, revoked_at ?? '-', label]);
        printTable(['ID', 'CREATED', 'REVOKED', 'LABEL'], rows, 'The tenant has no key.');
      }
    });

  keyCommand(key, 'revoke <id>')
    .description('revoke a key; the next request with it fails')
    .action(async (id: string, options: KeyOptions) => {
      const revoked = await withDatabase(options, async (database) => {
        const tenant = await requireTenant(database, options.tenant);
        return revokeKey(database, tenant.id, id, new Date());
      });
      if (!revoked) {
        throw new CommandFailure(`the tenant has no key ${id}. \`product-passport key list\` shows them.`);
      }
      if (options.json) printJson(revoked);
      else print(`Revoked the key ${id}.`);
    });
}

function keyCommand(parent: Command, usage: string): Command {
  return administration(parent.command(usage)).requiredOption('--tenant <slug>', 'whose key it is');
}
