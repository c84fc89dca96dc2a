import { visibleValues } from '../access/rules.ts';
import { type View, viewOf } from '../access/token.ts';
import { ContractError } from '../contract/errors.ts';
import type { Handlers } from '../http/handlers.ts';
import { type PassportReading, readPassport } from '../passports/read.ts';
import { publicContentHash } from '../passports/rules.ts';
import type { Version } from '../passports/version.ts';
import type { ScanRecorder } from '../scans/recorder.ts';
import type { Services } from '../services.ts';
import { findTenant, type Tenant } from '../tenants/store.ts';
import { passportDocument } from './document.ts';
import { languageOf } from './language.ts';
import { passportPage } from './page.ts';
import { Recent } from './recent.ts';
import { pageHeaders, pageVary, type Render } from './rendering.ts';

export function siteHandlers(
  services: Services,
  recorder: ScanRecorder,
  render: Render,
): Pick<Handlers, 'getPassportPage' | 'getPassportJsonld'> {
  const { siteUrl, now } = services;
  return {
    async getPassportPage({ path, query: { zugang, lang }, visit, mediaType }) {
      const passport = await publicPassport(services, path, zugang);
      if (mediaType === 'application/ld+json') {
        const answer = documentAnswer(passport, siteUrl());
        return { ...answer, headers: { ...answer.headers, vary: pageVary } };
      }
      const language = languageOf(lang, visit.acceptLanguage);
      const page = await passportPage(passport, { language, siteUrl: siteUrl(), zugang });
      const { tenant, product, view } = passport;
      const record = (): Promise<void> =>
        recorder.record({
          tenantId: tenant.id,
          productId: product.id,
          at: now(),
          role: view.role,
          address: visit.address,
        });
      return {
        type: mediaType,
        body: await render('passport', page),
        headers: { ...pageHeaders(language), link: linkTo(`${page.canonical}/jsonld`, 'application/ld+json', 'dpp') },
        // On disk before the page is sent, unless it cannot be stored in time.
        ...(visit.isView ? { beforeSent: record } : {}),
      };
    },

    async getPassportJsonld({ path, query }) {
      return documentAnswer(await publicPassport(services, path, query.zugang), siteUrl());
    },
  };
}

/** The passport for machines, with the way back to the page. */
function documentAnswer(passport: PublicPassport, siteUrl: string) {
  const document = passportDocument(passport, siteUrl);
  return {
    type: 'application/ld+json' as const,
    body: document,
    headers: { link: linkTo(document.url, 'text/html') } as Record<string, string>,
  };
}

/** A `Link` header (RFC 8288) to another form of the same passport. */
function linkTo(address: string, type: string, ...relations: string[]): string {
  return `<${address}>; rel="${['alternate', ...relations].join(' ')}"; type="${type}"`;
}

/** A passport as a role sees it. Its values are those that the role may see: no renderer gets another. */
export interface PublicPassport extends PassportReading {
  /** Always salted: another hash would betray hidden values. */
  version: Version & { salt: string };
  tenant: Tenant;
  view: View;
  publicContentHash: string;
}

/** The id of no tenant. */
const nobody = '00000000-0000-0000-0000-000000000000';

/** The passport of an activated product, with the view that the token opens. */
async function publicPassport(
  services: Services,
  path: { tenant: string; product: string },
  zugang: string | undefined,
): Promise<PublicPassport> {
  const { database } = services;
  const tenant = await findTenant(database, path.tenant);
  // For an unknown tenant too, so that each 404 takes the same time.
  const passport = await readPassport(database, tenant?.id ?? nobody, path.product, 'active');
  if (!tenant || !passport) throw new ContractError('not_found');
  // The server starts after the migration that gave every product a salted version. Only an older server that still
  // writes to the same database could make another, and its hash must not be seen.
  const { salt } = passport.version;
  if (salt === null) throw new Error('The latest version has no salt: an older server writes to this database.');
  const view = await viewOf(services, { tenantId: tenant.id, productId: passport.product.id }, zugang);
  return {
    ...passport,
    version: { ...passport.version, salt },
    tenant,
    view,
    values: visibleValues(passport.values, view.role),
    publicContentHash: publicHash(passport),
  };
}

/** By content hash: of a passport with a million nodes it takes longer than all the rest of the page. */
const publicHashes = new Recent<string>(10_000);

function publicHash({ version, values }: PassportReading): string {
  const hash = publicHashes.get(version.content_hash) ?? publicContentHash(values);
  publicHashes.set(version.content_hash, hash);
  return hash;
}
