/** All interactions of the pact, grouped by subject. */

import type { Case } from './case.ts';
import { passports } from './passports.ts';
import { productCreation } from './product-creation.ts';
import { productLists } from './product-lists.ts';
import { carriers, products } from './products.ts';
import { publicSide } from './public-side.ts';
import { refusals } from './refusals.ts';
import { scanStatistics } from './scans.ts';

export const cases: Readonly<Record<string, readonly Case[]>> = {
  products,
  'lists of products': productLists,
  'creation of products': productCreation,
  passports,
  'data carriers': carriers,
  'scan statistics': scanStatistics,
  'public side': publicSide,
  refusals,
};
