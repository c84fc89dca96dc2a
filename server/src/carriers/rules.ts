import { digitalLink, gtin14, type Schemas } from '@product-passport/openapi';
import { OperatorError } from '../operator-error.ts';

type Carrier = Schemas['Carrier'];

/** A carrier as the database holds it. Its link is made when it is read. */
export type StoredCarrier = Omit<Carrier, 'gs1_digital_link'>;

export type CarrierType = Carrier['type'];
export type CarrierStatus = Carrier['status'];
export const carrierTypes: readonly CarrierType[] = ['qr', 'datamatrix', 'nfc', 'rfid', 'other'];

/**
 * The link in the printed code of a product: its GS1 Digital Link, with the serial number if the passport is that of one
 * item. Without a GTIN it is the address of its page.
 */
export function codeLink(
  siteUrl: string,
  tenant: string,
  { slug, gtin, public_serial }: { slug: string; gtin: string | null; public_serial: string | null },
): string {
  return gtin === null ? `${siteUrl}/p/${tenant}/${slug}` : digitalLink(siteUrl, gtin, public_serial);
}

/** The lines that people read under a code: GTIN and serial number (GS1 General Specifications, human readable interpretation). */
export function readable({ gtin, public_serial }: { gtin: string | null; public_serial: string | null }): string[] {
  if (gtin === null) return [];
  return [`(01) ${gtin14(gtin)}`, ...(public_serial === null ? [] : [`(21) ${public_serial}`])];
}

/** A carrier as the API returns it. The link is not stored, so that it follows the site's address. */
export function shownCarrier({ id, type, ...rest }: StoredCarrier, siteUrl: string, gtin: string): Carrier {
  return { id, type, gs1_digital_link: digitalLink(siteUrl, gtin), ...rest };
}

/** Lengths of a UID in bytes: single, double and triple size (ISO/IEC 14443-3), and 8 for ISO/IEC 15693 and FeliCa. */
const uidLengths = [4, 7, 8, 10];

/**
 * The UID of an NFC tag in its stored form: upper case, without separators. Readers may show it with colons, hyphens or
 * spaces.
 *
 * @returns `undefined` if the text is not a UID
 */
export function tagUid(text: string): string | undefined {
  const isUid = /^[0-9a-f]{2}(?:[:\- ]?[0-9a-f]{2})*$/i.test(text);
  const uid = text.replace(/[:\- ]/g, '').toUpperCase();
  return isUid && uidLengths.includes(uid.length / 2) ? uid : undefined;
}

const statusBefore: Record<Exclude<CarrierStatus, 'active'>, CarrierStatus> = {
  deprecated: 'active',
  withdrawn: 'deprecated',
};

/** @throws OperatorError unless the step is active to deprecated, or deprecated to withdrawn */
export function checkMove(
  { id, status: from }: Pick<StoredCarrier, 'id' | 'status'>,
  to: Exclude<CarrierStatus, 'active'>,
): void {
  if (from === statusBefore[to]) return;
  if (from === to) throw new OperatorError(`carrier ${id} is already ${to}.`);
  const advice = from === 'active' ? 'Deprecate it before you withdraw it.' : 'A withdrawn carrier keeps its status.';
  throw new OperatorError(`carrier ${id} is ${from} and cannot become ${to}. ${advice}`);
}
