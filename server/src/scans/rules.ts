import { createHmac, type KeyObject } from 'node:crypto';
import { utcDay } from '@product-passport/openapi';

/**
 * The hash of a client's address that is stored. It differs every day, and depends on the server's secret.
 *
 * @param secret a key object: with the bytes, Node would make one for each hash, for 9 µs
 */
export function visitorHash(secret: KeyObject, moment: Date, address: string): string {
  return createHmac('sha256', secret)
    .update(`${utcDay(moment)} ${address}`)
    .digest('hex');
}
