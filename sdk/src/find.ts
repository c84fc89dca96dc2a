import { knownSerial, listedSerial, serialText } from '../../openapi/src/rules/item.ts';
import { gtin14 } from '../../openapi/src/rules/product.ts';
import type { Api, RequestOptions } from './api.ts';
import type { Passport, ProductListItem, ProductQuery } from './contract.ts';
import { AmbiguousError, ArgumentError } from './errors.ts';
import { pagePromise, readListPage } from './pages.ts';
import { type ApiResponse, apiPromise } from './response.ts';

/** What `products.find` looks for. */
export interface FindQuery extends Pick<ProductQuery, 'status'> {
  /** The GTIN, in any of its lengths. */
  readonly gtin: string;
  /** The serial number of the item. Without it, `find` looks for the product that is not an item. */
  readonly serial?: string | undefined;
}

/**
 * Finds the one product of a GTIN that is this item, or no item. Another provider may ignore the parameters and send the
 * whole list, so each product is compared here, too.
 */
export async function find(
  { send }: Api,
  query: FindQuery,
  options: RequestOptions | undefined,
): Promise<ApiResponse<ProductListItem | undefined>> {
  const { gtin, serial, status } = { ...query };
  if (!/^(\d{8}|\d{12,14})$/.test(gtin)) throw new ArgumentError('gtin', 'must be text of 8, 12, 13 or 14 digits');
  // An export has an empty text where it has no serial number, and an item must not become its model.
  if (serial === '') throw new ArgumentError('serial', 'must not be empty: leave it out for a product that is no item');
  const listed = serial === undefined ? null : listedSerial(serial);
  const asked = { gtin, serial: listed ?? '', status, limit: 200 };
  let last!: ApiResponse<unknown>;
  const list = pagePromise(options?.signal, (offset) => {
    const page = send('listProducts', { query: { ...asked, offset } }, options, { read: readListPage });
    return apiPromise(page.then((received) => (last = received)));
  });

  let found: ProductListItem | undefined;
  for await (const product of list) {
    if (gtin14(`${product.gtin}`) !== gtin14(gtin) || (status ?? product.status) !== product.status) continue;
    let isSame = isListedAs(product, listed);
    if (isSame === undefined) {
      const passport = await send('getPassport', { path: { slug: product.slug } }, options);
      last = passport;
      isSame = isOf(passport.value.values, serial);
    }
    if (!isSame) continue;
    if (found) throw new AmbiguousError([found.slug, product.slug]);
    found = product;
  }
  return { ...last, value: found };
}

/** Whether a row has this serial number; `undefined`: its passport decides. */
function isListedAs({ serial_number }: Partial<ProductListItem>, listed: string | null): boolean | undefined {
  // A provider without the reference profile has no such member.
  if (serial_number === undefined) return undefined;
  if (serial_number !== listed) return false;
  // A list has at most 200 code units of a serial number, and no half of a character.
  return listed === null || listed.length < 199 || undefined;
}

/** Whether a passport is that of the item with this serial number; without one, whether it is that of no item. */
function isOf(values: Passport['values'], serial: string | undefined): boolean {
  const known = knownSerial(values);
  return known ? serialText(known.value) === serial : serial === undefined;
}
