/** All cases, in the order in which they run. */
import type { Contract } from '@product-passport/openapi';
import type { Case, WholeRunCase } from '../case.ts';
import { authentication } from './authentication.ts';
import { completenessCases } from './completeness.ts';
import { digitalLink, digitalLinkPaths } from './digital-link.ts';
import { gs1Standards } from './gs1-standards.ts';
import { leaks } from './hidden-values.ts';
import { http, httpHeaders, methods } from './http.ts';
import { paging } from './paging.ts';
import { passportLimits, passportRefusals } from './passport-refusals.ts';
import { passportRaces, passportVersions } from './passport-versions.ts';
import { passports, passportValues } from './passports.ts';
import { productFinding } from './product-finding.ts';
import { productRefusals } from './product-refusals.ts';
import { productStatuses } from './product-statuses.ts';
import { products } from './products.ts';
import { publicPages } from './public-pages.ts';
import { responses } from './responses.ts';
import { scans } from './scans.ts';
import { search } from './search.ts';
import { strangers } from './strangers.ts';
import { tenancy } from './tenancy.ts';

export interface Suite {
  readonly cases: readonly Case[];
  /** Checked after the cases, over all requests of the run. */
  readonly wholeRunCases: readonly WholeRunCase[];
}

export function suiteOf(contract: Contract): Suite {
  return {
    // Tenancy first: what it stores must not appear in any later response of another tenant.
    cases: [
      ...tenancy(contract),
      ...authentication(contract),
      ...http(contract),
      ...methods(contract),
      ...paging,
      ...search,
      ...products,
      ...productRefusals,
      ...productStatuses,
      ...productFinding,
      ...passports,
      ...passportRefusals,
      ...passportValues,
      ...passportVersions,
      ...completenessCases,
      ...passportRaces,
      ...passportLimits,
      ...publicPages,
      ...digitalLink,
      ...digitalLinkPaths(contract),
      ...gs1Standards,
      ...strangers(contract),
      ...scans,
    ],
    wholeRunCases: [...httpHeaders, ...responses(contract), ...leaks],
  };
}
