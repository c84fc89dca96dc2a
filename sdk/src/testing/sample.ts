import type * as contract from '../contract.ts';
import { examples } from '../generated/samples.ts';

/**
 * Each method returns a new object, the example of the contract, with your own fields in place of the example's. A field
 * is replaced as a whole.
 */
export interface Samples {
  /** The value of `me.get`. */
  me(fields?: Partial<contract.Me>): contract.Me;
  /** `tenant` in the value of `me.get`. */
  tenant(fields?: Partial<contract.Tenant>): contract.Tenant;
  /** A page of products, as `products.list` returns it. `pageOf` makes one from your own items. */
  list(fields?: Partial<contract.ProductList>): contract.ProductList;
  /** A product in a list. */
  listItem(fields?: Partial<contract.ProductListItem>): contract.ProductListItem;
  /** A product with its full master data. */
  product(fields?: Partial<contract.Product>): contract.Product;
  /** The input of `products.create` and `products.ensure`. */
  newProduct(fields?: Partial<contract.CreateProduct>): contract.CreateProduct;
  /** The value of `passports.get`. */
  passport(fields?: Partial<contract.Passport>): contract.Passport;
  /** A value in a passport. */
  value(fields?: Partial<contract.PassportValue>): contract.PassportValue;
  /** `latest_version` in a passport. */
  version(fields?: Partial<contract.PassportVersion>): contract.PassportVersion;
  /** A value to write: an element of the list that `passports.put` takes. */
  newValue(fields?: Partial<contract.PassportValueInput>): contract.PassportValueInput;
  /** The value of `passports.put`. */
  writeResult(fields?: Partial<contract.PassportWriteResult>): contract.PassportWriteResult;
  /** The value of `carriers.list`. */
  carriers(fields?: Partial<contract.CarrierList>): contract.CarrierList;
  /** A data carrier. */
  carrier(fields?: Partial<contract.Carrier>): contract.Carrier;
  /** The value of `analytics.scans`. */
  scans(fields?: Partial<contract.ScanStatistics>): contract.ScanStatistics;
  /** A passport as JSON-LD, from the public client. */
  document(fields?: Partial<contract.PassportDocument>): contract.PassportDocument;
}

function sampleOf<Value extends object>(example: Value): (fields?: Partial<Value>) => Value {
  return (fields) => ({ ...JSON.parse(JSON.stringify(example)), ...fields });
}

/**
 * Complete objects for tests, so that a test names only what matters: `sample.product({ slug: 'helmet' })`. For objects
 * inside, pass a sample: `sample.passport({ values: [sample.value({ value: 2 })] })`.
 */
export const sample = Object.fromEntries(
  Object.entries(examples).map(([name, example]) => [name, sampleOf(example)]),
) as unknown as Samples;
