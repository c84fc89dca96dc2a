import { randomInt } from 'node:crypto';
import type { Knex } from 'knex';
import { gtin14, hasValidCheckDigit } from '../products/rules.ts';

/**
 * Prefixes of new GTINs by their length. GS1 keeps 952 for demonstrations, and the others for use inside a company, so
 * that no real product has them.
 */
const prefixes: Record<number, string> = { 8: '2', 12: '4', 13: '952', 14: '1952' };

const attempts = 1000;

/** A GTIN with a valid check digit that no product of the sandbox has. */
export async function freeGtin(transaction: Knex.Transaction, length: number): Promise<string> {
  for (let attempt = 0; attempt < attempts; attempt += 1) {
    const gtin = randomGtin(length);
    const taken = await transaction('products')
      .where({ gtin14: gtin14(gtin) })
      .first('id');
    if (!taken) return gtin;
  }
  throw new Error(`The sandbox found no free GTIN of ${length} digits.`);
}

function randomGtin(length: number): string {
  const prefix = prefixes[length] ?? '';
  const digits = Array.from({ length: length - 1 - prefix.length }, () => randomInt(10)).join('');
  const candidates = Array.from({ length: 10 }, (_, digit) => `${prefix}${digits}${digit}`);
  return candidates.find(hasValidCheckDigit) ?? '';
}
