import { type Command, InvalidArgumentError, Option } from 'commander';
import type { Knex } from 'knex';
import { type TokenRole, tokenRoles } from '../access/rules.ts';
import { type Rotation, rotateSecret } from '../access/secrets.ts';
import { listTokens, revokeToken } from '../access/store.ts';
import { createToken } from '../access/token.ts';
import { findProduct } from '../products/store.ts';
import { type AdministrationOptions, administration, requireTenant, withDatabase } from './database.ts';
import { CommandFailure, print, printJson, printTable } from './output.ts';

type TokenOptions = AdministrationOptions & { tenant: string };

const day = 86_400_000;
const longestDays = 3650;

export function addTokenCommands(program: Command): void {
  const token = program.command('token').description('access tokens, which open the extended view of a role');

  tokenCommand(token, 'create')
    .description('make a token; it is shown this once and cannot be shown again')
    .addOption(new Option('--role <role>', 'who it is for').choices(tokenRoles).makeOptionMandatory())
    .option('--product <slug>', 'the one product that it opens (default: every product of the tenant)')
    .addOption(new Option('--days <number>', 'how long it is valid').default(365).argParser(validDays))
    .action(async (options: TokenOptions & { role: TokenRole; product?: string; days: number }) => {
      const made = await withDatabase(options, (database) => create(database, options));
      if (options.json) printJson(made);
      else {
        print(
          made.token,
          `This is the only time that the token is shown. Its id is ${made.id}; it is valid until ${made.expires_at}.`,
          'Append it to the address of a passport page: ?zugang=TOKEN',
        );
      }
    });

  tokenCommand(token, 'list')
    .description('list the tokens, without the tokens themselves')
    .action(async (options: TokenOptions) => {
      const tokens = await withDatabase(options, async (database) => {
        const tenant = await requireTenant(database, options.tenant);
        return listTokens(database, tenant.id);
      });
      if (options.json) printJson({ items: tokens });
      else {
        const rows = tokens.map(({ id, role, product, expires_at, revoked_at }) => [
          id,
          role,
          product ?? '(all)',
          expires_at,
          revoked_at ?? '-',
        ]);
        printTable(['ID', 'ROLE', 'PRODUCT', 'EXPIRES', 'REVOKED'], rows, 'The tenant has no access token.');
      }
    });

  tokenCommand(token, 'revoke <id>')
    .description('revoke a token; the next request with it sees the public view')
    .action(async (id: string, options: TokenOptions) => {
      const revoked = await withDatabase(options, async (database) => {
        const tenant = await requireTenant(database, options.tenant);
        return revokeToken(database, tenant.id, id, new Date());
      });
      if (!revoked) {
        throw new CommandFailure(`the tenant has no access token ${id}. \`product-passport token list\` shows them.`);
      }
      if (options.json) printJson(revoked);
      else print(`Revoked the access token ${id}.`);
    });

  administration(token.command('rotate-secret'))
    .description(
      'sign new tokens with a new secret, for all tenants; an older secret is accepted until its last token expires',
    )
    .option('--revoke-old', 'a secret has leaked: revoke every token that was made so far, of all tenants')
    .action(async (options: AdministrationOptions & { revokeOld?: boolean }) => {
      const { revokeOld = false } = options;
      const rotated = await withDatabase(options, (database) => rotateSecret(database, { revokeOld }, new Date()));
      if (options.json) printJson(rotated);
      else print(...rotationLines(rotated, revokeOld));
    });
}

function rotationLines({ kid, old_secrets, revoked_tokens }: Rotation, revokeOld: boolean): string[] {
  const first = `New access tokens are signed with the secret ${kid}.`;
  if (revokeOld) {
    const tokens = revoked_tokens === 1 ? '1 access token' : `${revoked_tokens} access tokens`;
    return [
      first,
      `Revoked ${tokens}, and no older secret is accepted. A request with an older token gets the public view.`,
      'Make new tokens with `product-passport token create`.',
    ];
  }
  if (old_secrets.length === 0) return [first, 'No older secret is accepted, because none has a valid token.'];
  return [
    first,
    ...old_secrets.map(
      (old) => `The secret ${old.kid} is accepted until ${old.accepted_until}, when its last token expires.`,
    ),
  ];
}

function tokenCommand(parent: Command, usage: string): Command {
  return administration(parent.command(usage)).requiredOption('--tenant <slug>', 'whose token it is');
}

async function create(
  database: Knex,
  { tenant: slug, product, role, days }: TokenOptions & { role: TokenRole; product?: string; days: number },
) {
  const tenant = await requireTenant(database, slug);
  const opened = product === undefined ? undefined : await findProduct(database, tenant.id, product);
  if (product !== undefined && !opened) {
    throw new CommandFailure(`${slug} has no product ${product}. \`product-passport product list\` shows them.`);
  }
  const now = new Date();
  const expiresAt = new Date(now.getTime() + days * day);
  const made = await createToken(database, tenant.id, { product_id: opened?.id ?? null, role, expiresAt }, now);
  return { ...made, product: opened?.slug ?? null };
}

function validDays(text: string): number {
  const days = Number(text);
  if (!/^[0-9]+$/.test(text) || days < 1 || days > longestDays) {
    throw new InvalidArgumentError(`It is a number of days from 1 to ${longestDays}.`);
  }
  return days;
}
