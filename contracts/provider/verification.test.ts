/** That the verification itself fails where it should, and one interaction at a time. */
import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { type Interaction, readPact } from '../pact-file.ts';
import type { Service } from './service.ts';
import { verify } from './verification.ts';
import { PactVerifier } from './verifier.ts';

const pact = readPact();
let verifier: PactVerifier;

beforeAll(async () => {
  verifier = await PactVerifier.start();
});

afterAll(() => verifier.stop());

function named(description: string): Interaction {
  const found = pact.interactions.find((interaction) => interaction.description === description);
  if (found === undefined) throw new Error(`The pact has no "${description}".`);
  return found;
}

const me = named('getMe: a tenant with products');

/** Changes what the server answers, as a fault in it would. */
function answering(change: (body: Record<string, unknown>) => unknown): (service: Service) => void {
  return ({ app }) => {
    app.ext('onPreResponse', ({ response }, h) => {
      if (!('source' in response)) return h.continue;
      return h.response(change(response.source as Record<string, unknown>) as object).code(response.statusCode);
    });
  };
}

test('an untouched server keeps the interaction', async () => {
  expect(await verify(verifier, pact, me)).toEqual([]);
});

describe('the verification fails', () => {
  test('at a state that the catalogue does not have', async () => {
    const interaction = { ...me, providerStates: [{ name: 'a tenant from the moon' }] };
    expect(await verify(verifier, pact, interaction)).toContain('The catalogue has no state "a tenant from the moon".');
  });

  test('at a state that cannot be set up', async () => {
    const interaction = {
      ...me,
      providerStates: [
        ...(me.providerStates ?? []),
        { name: 'the product has passport values', params: { product: 'nowhere', values: [] } },
      ],
    };
    expect(await verify(verifier, pact, interaction)).toContain('not_found');
  });

  test('at a value that is not the expected one', async () => {
    const reasons = await verify(
      verifier,
      pact,
      me,
      answering((body) => ({ ...body, products_total: 4 })),
    );
    expect(reasons).toContainEqual(expect.stringContaining('products_total'));
  });

  test('at a field that leaks, which Pact itself lets pass', async () => {
    const reasons = await verify(
      verifier,
      pact,
      me,
      answering((body) => ({ ...body, tenant_id: 7 })),
    );
    expect(reasons).toContainEqual(expect.stringContaining('tenant_id is not declared in the contract'));
  });

  test('at another status', async () => {
    const interaction = { ...me, response: { ...me.response, status: 404 } };
    expect(await verify(verifier, pact, interaction)).toContainEqual(
      expect.stringContaining('expected 404 but was 200'),
    );
  });

  test('at a key that works though it was revoked', async () => {
    const revoked = named('getMe: with a key that was revoked');
    const reasons = await verify(verifier, pact, revoked, ({ issuedKeys }) => {
      // As if revoking did nothing: whatever key is issued, the first one is used.
      const { set } = issuedKeys;
      let first: string | undefined;
      issuedKeys.set = (placeholder, key) => {
        first ??= key;
        return set.call(issuedKeys, placeholder, first);
      };
    });
    expect(reasons).toContainEqual(expect.stringContaining('expected 401 but was 200'));
  });
});
