import { beforeAll, describe, expect, test } from '@jest/globals';
import type { PassportValue } from '@product-passport/openapi';
import canonicalize from 'canonicalize';
import type { Client } from '../../support/client.ts';
import { databaseKinds } from '../../support/database.ts';
import { useService } from '../../support/service.ts';

describe('the size of a passport', () => {
  const limit = 2 * 2 ** 20;

  /** The size that the contract counts: the RFC 8785 form of the values without their times. */
  function sizeOf(values: readonly PassportValue[]): number {
    return Buffer.byteLength(canonicalize(values.map(({ updated_at: _, ...content }) => content)) ?? '');
  }

  describe.each(databaseKinds)('%s', (kind) => {
    const service = useService(kind);
    let client: Client;
    beforeAll(async () => {
      client = await service.newTenant();
    });

    /** Sends a write that must fail and change nothing, and returns the error. */
    async function refusal(slug: string, body: readonly object[]): Promise<unknown> {
      const state = async () => [await client.passport(slug), await service.database('passport_versions').count()];
      const before = await state();
      const { outcome, json } = await client.call({
        method: 'PUT',
        path: `/api/v1/products/${slug}/passport`,
        body,
      });
      expect(outcome).toBe('400 invalid_request');
      expect(await state()).toEqual(before);
      return json;
    }

    /** Writes values of exactly this size. More than 2 MiB are written only if the server accepts them. */
    async function fill(slug: string, bytes: number): Promise<string> {
      const texts = ['ü'.repeat(450_000), '€'.repeat(300_000)];
      for (const [index, value] of texts.entries()) await client.write(slug, [{ field_key: `f${index}`, value }]);
      await client.write(slug, [{ field_key: 'last', value: '' }]);
      const rest = bytes - sizeOf((await client.passport(slug)).values);
      expect(rest).toBeGreaterThan(0);
      return client.writing(slug, [{ field_key: 'last', value: 'x'.repeat(rest) }]);
    }

    test('a passport of 2 MiB is accepted, one more byte is rejected', async () => {
      const { slug } = await client.create('Voll');
      expect(await fill(slug, limit)).toBe('200');
      const { values } = await client.passport(slug);
      expect(sizeOf(values)).toBe(limit);
      const last = String(values.find(({ field_key }) => field_key === 'last')?.value);
      const longer = { field_key: 'last', value: `${last}x` };
      expect(await refusal(slug, [longer])).toEqual({
        error: {
          code: 'invalid_request',
          message: `The values of a passport can have at most ${limit} bytes as RFC 8785 JSON. After this write they would have ${limit + 1} bytes.`,
        },
      });
      expect(await refusal(slug, [{ field_key: 'new', value: null }, longer])).toBeDefined();
      await client.write(slug, [{ ...longer, value: last.toUpperCase() }]);
    });
  });
});
