import {
  ContractError,
  completeness,
  dayOf,
  documentOf,
  hashedTextsOf,
  type PassportPath,
  type PassportValue,
  type Schemas,
  type ViewRole,
  visibleValues,
} from '@product-passport/openapi';
import { type View, viewOf } from '../access/token.ts';
import { snapshot } from '../database/connection.ts';
import { inLanguage } from '../languages/languages.ts';
import {
  measurementsOf,
  type PublishedVersion,
  publishedVersions,
  readVersions,
  type Series,
  withheldVersions,
} from '../passports/published-versions.ts';
import { findPublished, findPublishedOf, listValues, type PublishedRow } from '../passports/store.ts';
import { publicContentHash } from '../passports/write.ts';
import type { Services } from '../services.ts';
import { templateAt } from '../templates/catalogue.ts';
import { shownImage } from './image.ts';

/** A published passport as a role sees it. It has only the values that the role may see, so no renderer can leak another. */
export interface PublicPassport extends Published {
  values: PassportValue[];
  publicContentHash: string;
  /** The versions that were public, the latest first. */
  history: PublishedVersion[];
  /** The fields that were measured more than once, as the role may see them. */
  measurements: Series[];
}

/** How many versions a page lists. */
const shownVersions = 10;

/** A published passport and the view of a request, without the values. */
export interface Published {
  /** The slugs of the address. */
  path: PassportPath;
  row: PublishedRow;
  view: View;
}

/**
 * Finds the passport of an active product, and the view that the token opens. Each 404 takes the same statements.
 *
 * @throws ContractError `not_found`
 */
export async function findPublicPassport(
  services: Services,
  path: PassportPath,
  zugang: string | undefined,
): Promise<Published> {
  const row = await findPublished(services.database, path);
  if (!row) throw new ContractError('not_found');
  return { path, row, view: await viewOf(services, { tenantId: row.tenant_id, productId: row.id }, zugang) };
}

/**
 * Reads an active product with all its values and some versions that were public. It does not go through the tenant's queue
 * of reads: that of its renderings limits them.
 *
 * @throws ContractError `not_found` if the product is no longer active
 */
function readPast(
  { database }: Services,
  { path, row: { tenant_id: tenantId } }: Published,
  wanted: { version: number } | { limit: number },
) {
  return snapshot(database, async (transaction) => {
    const row = await findPublishedOf(transaction, { tenantId, ...path });
    if (!row) throw new ContractError('not_found');
    const key = { tenantId, productId: row.id };
    const values = await listValues(transaction, key.tenantId, key.productId);
    const withheld = withheldVersions(row.withheld_versions);
    const { measured } = templateAt(row.product_group, row.template_version);
    const limit = 'limit' in wanted && !measured ? wanted.limit : undefined;
    const rows = await readVersions(transaction, key, limit);
    const measurementsFor = (role: ViewRole): Series[] => {
      const sees = (value: PassportValue) => visibleValues([value], role).length > 0;
      return measured ? measurementsOf(rows, values, withheld, measured, { isOperator: false, sees }) : [];
    };
    return { row, values, history: publishedVersions(rows, values, withheld, wanted), measurementsFor };
  });
}

/** Reads the values that the view may see. */
export async function readPublicPassport(services: Services, published: Published): Promise<PublicPassport> {
  const { path, row: first, view } = published;
  const {
    row: last,
    values: all,
    history,
    measurementsFor,
  } = await readPast(services, published, {
    limit: shownVersions,
  });
  // The rendering is cached under the first row. Only a new version makes that one old forever.
  const row = last.version === first.version ? first : last;
  const measurements = measurementsFor(view.role).filter((series) => series.measurements.length > 1);
  const values = visibleValues(all, view.role);
  return { path, row, view, values, publicContentHash: row.public_hash, history, measurements };
}

/**
 * Reads an older version as everybody may see it, whatever the view of the request.
 *
 * @throws ContractError `not_found` if the version was not public, is withheld or is not known
 */
export async function readPublishedVersion(
  services: Services,
  published: Published,
  version: number,
): Promise<PublicPassport> {
  const { path, view } = published;
  const { refused } = view;
  const { row, history } = await readPast(services, published, { version });
  const [found] = history;
  if (!found) throw new ContractError('not_found');
  const { template_version, content_hash, created_at, all, values } = found;
  const template = templateAt(row.product_group, template_version);
  return {
    path,
    row: {
      ...row,
      ...{ version, template_version, content_hash, versioned_at: created_at },
      completeness: completeness(template, all, dayOf(created_at)),
    },
    view: { role: 'consumer', refused },
    values,
    publicContentHash: publicContentHash(hashedTextsOf(values)),
    history: [],
    measurements: [],
  };
}

/**
 * The passport as JSON-LD.
 *
 * @param labels the language of the labels
 * @param address of the document: that of an older version has its number
 */
export function passportDocument(
  passport: PublicPassport,
  siteUrl: string,
  labels: string,
  address?: string,
): Schemas['PassportDocument'] {
  const { path, row } = passport;
  const { fields, properties } = templateAt(row.product_group, row.template_version);
  const known = new Map(fields.map(({ key, label }) => [key, inLanguage(label, labels)]));
  return documentOf(passport, { siteUrl, labels: known, properties, image: shownImage(path, row)?.path, address });
}
