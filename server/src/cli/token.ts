import { tokenRoles } from '@product-passport/openapi';
import { type Rotation, rotateSecret } from '../access/secrets.ts';
import { createToken, revokeToken, walkTokens } from '../access/token.ts';
import { OperatorError } from '../operator-error.ts';
import {
  argument,
  command,
  flag,
  id,
  type Noun,
  option,
  requiredOption,
  slug,
  wholeNumber,
  withoutQuestion,
} from './command.ts';
import { requireProduct } from './database.ts';
import { confirm, counted } from './output.ts';

const day = 86_400_000;

export const commands: Noun = {
  name: 'token',
  description: 'manage access tokens, which show recyclers and inspectors more than the public view',
  commands: [
    command({
      name: 'create',
      about: 'tenant',
      changes: true,
      description: 'create an access token for a product, or for all with --all; the token is shown only once',
      example: 'token create usb-c-cable --tenant my-shop --role inspector --days 30',
      arguments: [argument('[product]', 'slug of the only product that the token opens', slug)],
      options: {
        all: flag('--all', 'open every product of the tenant, also later ones'),
        role: requiredOption('--role <role>', 'role that the token is for', tokenRoles),
        days: option('--days <number>', 'days until the token expires', wholeNumber(3650, 1), 365),
      },
      prepare({ all }, product) {
        if ((product === undefined) !== (all === undefined)) return;
        throw new OperatorError('name one product, or add --all for every product of the tenant.', 2);
      },
      async run({ database, tenant, options }, slug) {
        const { role, days } = options;
        const product = slug === undefined ? undefined : await requireProduct(database, tenant, slug, options);
        const now = new Date();
        const expiresAt = new Date(now.getTime() + days * day);
        const token = { product_id: product?.id ?? null, role, expiresAt };
        return { ...(await createToken(database, tenant.id, token, now)), product: product?.slug ?? null };
      },
      text: ({ token }) => token,
      secret: ({ id, expires_at }, { tenant }) => ({
        name: `access token ${id}`,
        note: [
          `Store this token now: it is not shown again. Its id is ${id}. It expires at ${expires_at}.`,
          'Append it to the address of a passport page as ?zugang=TOKEN.',
        ],
        revoke: (transaction) => revokeToken(transaction, tenant.id, id, new Date()),
      }),
    }),
    command({
      name: 'list',
      about: 'tenant',
      description: 'list the access tokens by id; the tokens themselves are not stored',
      example: 'token list --tenant my-shop',
      run: ({ database, tenant }) => walkTokens(database, tenant.id),
      table: {
        header: ['ID', 'ROLE', 'PRODUCT', 'EXPIRES', 'REVOKED'],
        row: (token) => [token.id, token.role, token.product ?? '(all)', token.expires_at, token.revoked_at ?? '-'],
        empty: () => 'The tenant has no access tokens.',
      },
    }),
    command({
      name: 'revoke',
      about: 'tenant',
      changes: true,
      description: 'revoke an access token; from the next request on it shows only the public view',
      example: 'token revoke ID --tenant my-shop',
      arguments: [argument('<id>', 'id of the token', id)],
      async run({ database, tenant, hint }, id) {
        const revoked = await revokeToken(database, tenant.id, id, new Date());
        if (revoked) return revoked;
        const list = hint(`token list --tenant ${tenant.slug}`);
        throw new OperatorError(`the tenant ${tenant.slug} has no access token ${id}. List its tokens with ${list}.`);
      },
      text: (_token, _context, id) => `Revoked access token ${id}.`,
    }),
    command({
      name: 'rotate-secret',
      about: 'database',
      changes: true,
      // It reads or revokes the tokens of all tenants.
      open: { unlimited: true },
      summary: 'sign new access tokens with a new secret, for all tenants',
      description:
        'sign new access tokens with a new secret, for all tenants. Existing tokens stay valid until they expire, unless you add --revoke-old.',
      example: 'token rotate-secret --revoke-old --yes',
      options: {
        revokeOld: flag('--revoke-old', 'revoke all existing tokens of all tenants, for example after a secret leaked'),
        yes: withoutQuestion('revoke'),
      },
      async prepare(options) {
        if (options.revokeOld) await confirm('All access tokens of all tenants would be revoked.', options);
      },
      run: ({ database, options: { revokeOld = false } }) => rotateSecret(database, { revokeOld }, new Date()),
      text: (rotation, { options }) => rotationLines(rotation, options.revokeOld === true),
    }),
  ],
};

function rotationLines({ kid, old_secrets, revoked_tokens }: Rotation, revokeOld: boolean): string[] {
  const first = `New access tokens are signed with the secret ${kid}.`;
  if (revokeOld) {
    return [
      first,
      `Revoked ${counted(revoked_tokens, 'access token')}. Requests with an older token get the public view.`,
      'Create new tokens for everybody who still needs access.',
    ];
  }
  if (old_secrets.length === 0) return [first, 'There is no older secret with valid tokens.'];
  return [
    first,
    ...old_secrets.map(
      (old) => `Tokens of the secret ${old.kid} stay valid until they expire, the last one at ${old.accepted_until}.`,
    ),
  ];
}
