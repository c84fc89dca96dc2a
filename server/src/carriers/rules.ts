import type { components } from '../contract/generated/openapi.ts';
import { gtin14 } from '../products/rules.ts';

type Carrier = components['schemas']['Carrier'];

/** A carrier as the database holds it. Its link is made when it is read. */
export type StoredCarrier = Omit<Carrier, 'gs1_digital_link'>;

export type CarrierType = Carrier['type'];
export type CarrierStatus = Carrier['status'];
export const carrierTypes: readonly CarrierType[] = ['qr', 'datamatrix', 'nfc', 'rfid', 'other'];

/** What cannot be done with a carrier, in words for an operator. */
export class CarrierError extends Error {
  override readonly name = 'CarrierError';
}

/** The link that every carrier of a product holds, in GS1's form. */
export function digitalLink(siteUrl: string, gtin: string): string {
  return `${siteUrl}/01/${gtin14(gtin)}`;
}

/** A carrier as the contract shows it. Its link is made when it is read, so that it follows the site's address. */
export function shownCarrier({ id, type, ...rest }: StoredCarrier, siteUrl: string, gtin: string): Carrier {
  return { id, type, gs1_digital_link: digitalLink(siteUrl, gtin), ...rest };
}

/** Bytes of a UID: single, double and triple size (ISO/IEC 14443-3), and 8 for ISO/IEC 15693 and FeliCa. */
const uidLengths = [4, 7, 8, 10];

/**
 * The UID of an NFC tag in the form in which it is stored: upper case, nothing between the bytes. Readers show it with
 * colons, hyphens or spaces too.
 *
 * @throws CarrierError for anything else
 */
export function tagUid(text: string): string {
  const isUid = /^[0-9a-f]{2}(?:[:\- ]?[0-9a-f]{2})*$/i.test(text);
  const uid = text.replace(/[:\- ]/g, '').toUpperCase();
  if (!isUid || !uidLengths.includes(uid.length / 2)) {
    throw new CarrierError(
      'the UID of an NFC tag is 7 bytes in hexadecimal, or 4, 8 or 10, for example 04A224B1C36F80.',
    );
  }
  return uid;
}

const statusBefore: Record<Exclude<CarrierStatus, 'active'>, CarrierStatus> = {
  deprecated: 'active',
  withdrawn: 'deprecated',
};

/** @throws CarrierError for a step that does not exist: they go from active to deprecated to withdrawn, one by one */
export function checkMove(
  { id, status: from }: Pick<StoredCarrier, 'id' | 'status'>,
  to: Exclude<CarrierStatus, 'active'>,
): void {
  if (from === statusBefore[to]) return;
  const advice = from === 'active' ? ' Deprecate it first.' : '';
  throw new CarrierError(`the carrier ${id} is ${from} and cannot become ${to}.${advice}`);
}
