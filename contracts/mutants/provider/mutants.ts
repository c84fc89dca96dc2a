/** The tables of wrong and of unusual providers. */

import { alternative } from './alternative.ts';
import { authentication } from './families/authentication.ts';
import { digitalLink } from './families/digital-link.ts';
import { http } from './families/http.ts';
import { paging } from './families/paging.ts';
import { passports } from './families/passports.ts';
import { products } from './families/products.ts';
import { publicSide } from './families/public-side.ts';
import { referenceOnly } from './families/reference-only.ts';
import { responses } from './families/responses.ts';
import { scanStatistics } from './families/scans.ts';
import { search } from './families/search.ts';
import { tenancy } from './families/tenancy.ts';
import { values } from './families/values.ts';
import { versions } from './families/versions.ts';
import type { Mutant, Unusual } from './row.ts';
import { unusualBehaviour, unusualChecks } from './unusual-behaviour.ts';
import { unusualRepresentation } from './unusual-representation.ts';

export const mutants: readonly Mutant[] = [
  ...authentication,
  ...tenancy,
  ...paging,
  ...search,
  ...products,
  ...passports,
  ...values,
  ...versions,
  ...http,
  ...responses,
  ...publicSide,
  ...digitalLink,
  ...scanStatistics,
  ...referenceOnly,
];

export const unusual: readonly Unusual[] = [
  ...unusualRepresentation,
  alternative,
  ...unusualBehaviour,
  ...unusualChecks,
];
