import { createHmac, type KeyObject } from 'node:crypto';
import { dayOf } from '@product-passport/openapi';
import { templateOf } from '../templates/catalogue.ts';

/** Whether a view of a passport page counts: the installation, the tenant and the product group must all allow it. */
export function isCounted(
  { countScans }: { countScans: boolean },
  { scans_off_at, product_group }: { scans_off_at: string | null; product_group: string | null },
): boolean {
  return countScans && scans_off_at === null && templateOf(product_group).scans;
}

/**
 * The hash of a client's address that is stored. It differs every day, and depends on the server's secret.
 *
 * @param secret a key object: with the bytes, Node would make one for each hash, for 9 µs
 */
export function visitorHash(secret: KeyObject, moment: Date, address: string): string {
  return createHmac('sha256', secret)
    .update(`${dayOf(moment)} ${address}`)
    .digest('hex');
}
