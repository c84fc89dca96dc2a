/** The verification fails when it should, for one interaction at a time. */
import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { type Interaction, readPact } from '../pact-file.ts';
import { type Service, startService, verify as verifyOn } from './verification.ts';
import { PactVerifier } from './verifier.ts';

const pact = readPact();
let verifier: PactVerifier;

beforeAll(async () => {
  verifier = await PactVerifier.start();
});

afterAll(() => verifier.stop());

/** @param change changes the server before the interaction */
async function verify(
  interaction: Interaction,
  change?: (service: Service) => void | Promise<void>,
): Promise<readonly string[]> {
  const service = await startService();
  try {
    await change?.(service);
    return await verifyOn(service, verifier, pact, interaction);
  } finally {
    await service.stop();
  }
}

function named(description: string): Interaction {
  const found = pact.interactions.find((interaction) => interaction.description === description);
  if (found === undefined) throw new Error(`The pact has no "${description}".`);
  return found;
}

const me = named('getMe: a tenant with products');

/** Changes the server's response, as a bug in the server would. */
function changingResponse(change: (body: Record<string, unknown>) => unknown): (service: Service) => void {
  return ({ app }) => {
    app.ext('onPreResponse', ({ response }, h) => {
      if (!('source' in response)) return h.continue;
      return h.response(change(response.source as Record<string, unknown>) as object).code(response.statusCode);
    });
  };
}

test('the verification succeeds with an unchanged server', async () => {
  expect(await verify(me)).toEqual([]);
});

describe('the verification fails', () => {
  test('when the catalogue does not have the provider state', async () => {
    const interaction = { ...me, providerStates: [{ name: 'a tenant from the moon' }] };
    expect(await verify(interaction)).toContain('The catalogue has no provider state "a tenant from the moon".');
  });

  test('when a provider state cannot be set up', async () => {
    const interaction = {
      ...me,
      providerStates: [
        ...(me.providerStates ?? []),
        { name: 'the product has passport values', params: { product: 'nowhere', values: [] } },
      ],
    };
    expect(await verify(interaction)).toContain('not_found');
  });

  test('when a value differs from the expected one', async () => {
    const reasons = await verify(
      me,
      changingResponse((body) => ({ ...body, products_total: 4 })),
    );
    expect(reasons).toContainEqual(expect.stringContaining('products_total'));
  });

  test('when the response has an additional field, which Pact accepts', async () => {
    const reasons = await verify(
      me,
      changingResponse((body) => ({ ...body, tenant_id: 7 })),
    );
    expect(reasons).toContainEqual(expect.stringContaining('tenant_id is not declared in the contract'));
  });

  test('when the status differs', async () => {
    const interaction = { ...me, response: { ...me.response, status: 404 } };
    expect(await verify(interaction)).toContainEqual(expect.stringContaining('expected 404 but was 200'));
  });

  test('when a revoked API key still works', async () => {
    const revoked = named('getMe: with a revoked API key');
    const reasons = await verify(revoked, async ({ database }) => {
      // Simulates a revocation without effect.
      await database.raw(
        'CREATE TRIGGER kept AFTER UPDATE OF revoked_at ON api_keys BEGIN UPDATE api_keys SET revoked_at = NULL; END',
      );
    });
    expect(reasons).toContainEqual(expect.stringContaining('expected 401 but was 200'));
  });
});
