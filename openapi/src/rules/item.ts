/** Whose passport a link opens: that of an item, or of its model. */

import type { TemplateField } from './check.ts';
import { isAnswered } from './completeness.ts';
import { canonical, keyQualifier, type PassportValue } from './passport.ts';
import { gtin14 } from './product.ts';

/** The serial number of a passport. */
export interface Serials {
  /** Of any level and form; a text of a list, so a long one is cut. `null`: the passport is not that of one item. */
  serial_number: string | null;
  /** The one that links find the item by. `null`: it is not public, or no link can have it. */
  public_serial: string | null;
}

/** In UTF-16 code units. An entry of PostgreSQL's index has room for it. */
const maxSerialLength = 200;

/** Finds the known serial number among the values of a passport. */
export function knownSerial(values: readonly PassportValue[]): PassportValue | undefined {
  return values.find((value) => value.field_key === 'serial_number' && isAnswered(value));
}

/** Reads the serial number among the values of a passport. Programs resolve a segment of dots, encoded or not, so no link
 * has it. */
export function serialsOf(values: readonly PassportValue[]): Serials {
  const known = knownSerial(values);
  if (!known) return { serial_number: null, public_serial: null };
  const { value, access_level } = known;
  const fitsLink = typeof value === 'string' && keyQualifier.test(value) && value.length <= 20;
  const isPublic = access_level === 'public' && fitsLink && !/^(?:\.|%2e){1,2}$/i.test(value);
  return {
    serial_number: listedSerial(value),
    public_serial: isPublic ? value : null,
  };
}

/** A value that only one active product of a tenant may have: the serial number within a GTIN, and others anywhere. */
export interface UniqueValue {
  field_key: string;
  /** JSON text. */
  value: string;
}

/** The known values of a passport that no other active product may have, whatever their level. */
export function uniqueValues(
  template: { readonly fields: readonly Pick<TemplateField, 'key' | 'unique'>[] },
  values: readonly PassportValue[],
): UniqueValue[] {
  const keys = new Set(template.fields.filter(({ unique }) => unique).map(({ key }) => key)).add('serial_number');
  return values
    .filter((value) => keys.has(value.field_key) && isAnswered(value))
    .map(({ field_key, value }) => ({ field_key, value: JSON.stringify(value) }));
}

/** A text that is equal for equal values of a tenant. Without a GTIN, a serial number has none: it is not compared. */
export function uniqueKey(gtin: string | null, { field_key, value }: UniqueValue): string | undefined {
  if (field_key !== 'serial_number') return JSON.stringify([field_key, value]);
  return gtin === null ? undefined : JSON.stringify([field_key, value, gtin14(gtin)]);
}

/** The message of `value_in_use`. */
export function valueInUseMessage(field_key: string, slug: string): string {
  return `The active product ${slug} has the same ${field_key}. Correct the value or archive that product.`;
}

/** A serial number as text. */
export function serialText(value: unknown): string {
  return typeof value === 'string' ? value : canonical(value);
}

/** A serial number as a list has it. */
export function listedSerial(value: unknown): string {
  // No half of a character.
  return serialText(value)
    .slice(0, maxSerialLength)
    .replace(/[\uD800-\uDBFF]$/, '');
}

/** What decides whether a link is about a product. */
export interface Identity extends Pick<Serials, 'public_serial'> {
  /** Its passport is that of one item. */
  is_item: boolean;
}

/**
 * Finds the product of a tenant that a Digital Link opens: the item that has this public serial number, otherwise the
 * model. Without a model it is the item that was activated first.
 *
 * @param products active products of one tenant with the GTIN, the one that was activated first comes first. Only the
 *   first item, the first model and the item with the serial number matter.
 */
export function openedBy<Product extends Identity>(
  products: readonly [Product, ...Product[]],
  serial: string | undefined,
): Product {
  const item = products.find(({ public_serial }) => public_serial !== null && public_serial === serial);
  return item ?? products.find(({ is_item }) => !is_item) ?? products[0];
}

/** What a link with a serial number or without one is about, if it opens this product. */
export function opensAs(product: Identity, serial: string | undefined): 'item' | 'model' | 'other item' {
  if (!product.is_item) return 'model';
  return serial === undefined || serial === product.public_serial ? 'item' : 'other item';
}
