import type { Command } from 'commander';
import { commandHint } from '../database/address.ts';
import { createKey, listKeys, revokeKey } from '../tenants/keys.ts';
import { administrationCommand, requireTenant, type TenantOptions, withDatabase } from './database.ts';
import { CommandFailure, print, printJson, printTable } from './output.ts';

export function addKeyCommands(program: Command): void {
  const key = program.command('key').description('create, list and revoke the API keys of a tenant');

  keyCommand(key, 'create')
    .description('create an API key; the key is shown only once')
    .option('--label <text>', 'what the key is for', '')
    .action(async (options: TenantOptions & { label: string }) => {
      const made = await withDatabase(options, async (database) => {
        const tenant = await requireTenant(database, options);
        return createKey(database, tenant.id, options.label, new Date());
      });
      if (options.json) printJson(made);
      else print(made.key, `Store this key now: it is not shown again. Its id is ${made.id}.`);
    });

  keyCommand(key, 'list')
    .description('list the API keys by id and label; the keys themselves are not stored')
    .action(async (options: TenantOptions) => {
      const keys = await withDatabase(options, async (database) => {
        const tenant = await requireTenant(database, options);
        return listKeys(database, tenant.id);
      });
      if (options.json) printJson({ items: keys });
      else {
        const rows = keys.map(({ id, label, created_at, revoked_at }) => [id, created_at, revoked_at ?? '-', label]);
        printTable(['ID', 'CREATED', 'REVOKED', 'LABEL'], rows, 'The tenant has no API keys.');
      }
    });

  keyCommand(key, 'revoke <id>')
    .description('revoke an API key; the server rejects it from the next request on')
    .action(async (id: string, options: TenantOptions) => {
      const revoked = await withDatabase(options, async (database) => {
        const tenant = await requireTenant(database, options);
        return revokeKey(database, tenant.id, id, new Date());
      });
      if (!revoked) {
        const hint = commandHint(`key list --tenant ${options.tenant}`, options.database);
        throw new CommandFailure(`the tenant ${options.tenant} has no API key ${id}. List its keys with ${hint}.`);
      }
      if (options.json) printJson(revoked);
      else print(`Revoked API key ${id}.`);
    });
}

function keyCommand(parent: Command, usage: string): Command {
  return administrationCommand(parent.command(usage)).requiredOption(
    '--tenant <slug>',
    'tenant that the API key belongs to',
  );
}
