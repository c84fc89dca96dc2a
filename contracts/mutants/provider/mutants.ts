/** The tables of wrong and of unusual providers. */

import { alternative } from './alternative.ts';
import { authentication, tenancy } from './families/access.ts';
import { euReads } from './families/eu-reads.ts';
import { finding, paging, search } from './families/lists.ts';
import { passports, values, versions } from './families/passports.ts';
import { products, statuses } from './families/products.ts';
import { digitalLink, publicSide } from './families/public-side.ts';
import { referenceOnly } from './families/reference-only.ts';
import { http, responses } from './families/responses.ts';
import { scanStatistics } from './families/scans.ts';
import type { UnusualProvider, WrongProvider } from './row.ts';
import { unusualBehaviour, unusualChecks, unusualRepresentation } from './unusual.ts';

export const wrongProviders: readonly WrongProvider[] = [
  ...authentication,
  ...tenancy,
  ...paging,
  ...search,
  ...finding,
  ...products,
  ...statuses,
  ...passports,
  ...values,
  ...versions,
  ...http,
  ...responses,
  ...publicSide,
  ...digitalLink,
  ...euReads,
  ...scanStatistics,
  ...referenceOnly,
];

export const unusualProviders: readonly UnusualProvider[] = [
  ...unusualRepresentation,
  alternative,
  ...unusualBehaviour,
  ...unusualChecks,
];
