import { drawOutlines } from '../carriers/image.ts';
import { digitalLink } from '../carriers/rules.ts';
import { type Template, templateOf } from '../templates/catalogue.ts';
import { defaultLocale } from '../tenants/rules.ts';
import { cutText } from './allowance.ts';
import { passportDocument } from './document.ts';
import type { PublicPassport } from './handlers.ts';
import { type Language, languages } from './language.ts';
import { Recent } from './recent.ts';
import { type Texts, texts } from './texts.ts';
import { pageBudget, presenterOf, type ShownValue } from './values.ts';

/** What every page has. */
interface Page {
  language: Language;
  text: Texts;
  title: string;
  /** The same page in each language. */
  translations: { language: Language; name: string; href: string }[];
}

interface Entry {
  label: string;
  value: ShownValue;
  /** The language that the value's texts are written in, where it is not that of the page. */
  language: string | undefined;
  /** For whom it is, where not for everybody. */
  level: string | undefined;
  /** The page shows a part of it. */
  isShortened: boolean;
}

/** The passport page, in words. */
export interface PassportPage extends Page {
  name: string;
  nameLanguage: string;
  group: string;
  model: string | null;
  maker: string | undefined;
  issuer: string;
  role: string;
  isExtended: boolean;
  notice: string | undefined;
  /** The view has a token, which no search engine should keep. */
  isPrivate: boolean;
  completeness: { percent: number; shown: string; label: string };
  facts: { label: string; text: string; isCode: boolean }[];
  sections: { key: string; title: string; entries: Entry[] }[];
  proof: { version: string; hashes: { label: string; hash: string }[] };
  qr: { modules: number; path: string; link: string };
  canonical: string;
  /** The address of the passport for machines, with the token of the page. */
  document: string;
  /** The same document, safe between `script` tags. A page that is shortened leaves it out. */
  embedded: string | undefined;
}

/** The page of an error, in words. */
export interface ErrorPage extends Page {
  status: string;
  message: string;
}

/** The order of the sections: what a thing is, then how it is used and ends, then who answers for it. */
const sectionOrder = [
  'identification',
  'composition',
  'use',
  'durability',
  'repair',
  'end_of_life',
  'environment',
  'performance',
  'supply_chain',
  'substances',
  'compliance',
  'economic_operator',
  'own',
] as const satisfies (keyof Texts['sections'])[];

/**
 * The passport in the words of a language.
 *
 * @param zugang the token of the request, valid or not: the page's own links keep it
 */
export async function passportPage(
  passport: PublicPassport,
  { language, siteUrl, zugang }: { language: Language; siteUrl: string; zugang: string | undefined },
): Promise<PassportPage> {
  const { tenant, product, version, view, publicContentHash } = passport;
  const text = texts[language];
  const presenter = presenterOf(language);
  const template = templateOf(product.product_group);
  const canonical = `${siteUrl}/p/${tenant.slug}/${product.slug}`;
  const maker = makerOf(passport);
  const group = template.title[language] ?? template.title.en;
  const link = product.gtin === null ? canonical : digitalLink(siteUrl, product.gtin);
  const percent = product.completeness;
  const shown = sections(passport, template, language);
  const isShortened = shown.some(({ entries }) => entries.some((entry) => entry.isShortened));
  return {
    language,
    text,
    title: `${product.name} · ${text.passport}`,
    translations: translations(zugang),
    name: product.name,
    nameLanguage: defaultLocale(tenant.country),
    group,
    model: product.model,
    maker,
    issuer: tenant.name,
    role: text.roles[view.role],
    isExtended: view.role !== 'consumer',
    notice: view.refused ? text.refused : undefined,
    isPrivate: zugang !== undefined,
    completeness: { percent, shown: presenter.percent(percent), label: text.completeness(percent) },
    facts: [
      { label: text.facts.model, text: product.model, isCode: false },
      { label: text.facts.gtin, text: product.gtin, isCode: true },
      { label: text.facts.maker, text: maker, isCode: false },
      { label: text.facts.group, text: group, isCode: false },
      { label: text.facts.identifier, text: product.unique_product_identifier, isCode: true },
      { label: text.facts.issuer, text: tenant.name, isCode: false },
    ].flatMap((fact) => (fact.text ? [{ ...fact, text: fact.text }] : [])),
    sections: shown,
    proof: {
      version: text.proof.version(presenter.number(version.version), presenter.moment(version.created_at)),
      hashes: [
        { label: text.proof.contentHash, hash: version.content_hash },
        { label: text.proof.publicHash, hash: publicContentHash },
      ],
    },
    qr: { ...(await codeOf(link)), link },
    canonical,
    document: `${canonical}/jsonld${zugang === undefined ? '' : `?zugang=${encodeURIComponent(zugang)}`}`,
    embedded: isShortened ? undefined : embeddable(passportDocument(passport, siteUrl)),
  };
}

type Outlines = Awaited<ReturnType<typeof drawOutlines>>;

/** To draw a code takes as long as all the rest of the page. */
const drawn = new Recent<Outlines>(1000);

/** The QR code of a link. */
async function codeOf(link: string): Promise<Outlines> {
  const code = drawn.get(link) ?? (await drawOutlines(link, 'qr'));
  drawn.set(link, code);
  return code;
}

/** As long as the name of a product. */
const longestMaker = 500;

function makerOf({ values }: PublicPassport): string | undefined {
  const maker = values.find(({ field_key, is_unknown }) => field_key === 'manufacturer_name' && !is_unknown)?.value;
  return typeof maker === 'string' && maker.trim() !== '' ? cutText(maker, longestMaker) : undefined;
}

/** The values under the sections of their template, in its order; those that it does not know come last. */
function sections({ values }: PublicPassport, { fields }: Template, language: Language): PassportPage['sections'] {
  const text = texts[language];
  const presenter = presenterOf(language);
  const places = new Map(fields.map((field, index) => [field.key, { field, index }]));
  const placed = values.map((value) => {
    const { field, index } = places.get(value.field_key) ?? { field: undefined, index: fields.length };
    const section = field && Object.hasOwn(text.sections, field.section) ? field.section : 'own';
    return { section, index, field, value };
  });
  const bySection = Map.groupBy(placed, ({ section }) => section);
  const budget = { ...pageBudget };
  return sectionOrder.flatMap((key) => {
    const found = bySection.get(key)?.sort((a, b) => a.index - b.index);
    const entries = found?.map(
      ({ field, value }): Entry => ({
        ...presenter.entry(value, field, budget),
        language: value.locale === language ? undefined : value.locale,
        level: value.access_level === 'public' ? undefined : text.levels[value.access_level],
      }),
    );
    return entries ? [{ key, title: text.sections[key], entries }] : [];
  });
}

/** The page of an error. It says the same of every product that is not there. */
export function errorPage(status: number, language: Language): ErrorPage {
  const text = texts[language];
  const { title, text: message } = text.errors[errorKind(status)];
  return { language, text, title, translations: translations(undefined), status: text.errors.status(status), message };
}

function errorKind(status: number): 'notFound' | 'method' | 'busy' | 'request' | 'failed' {
  if (status === 404) return 'notFound';
  if (status === 405) return 'method';
  if (status === 503) return 'busy';
  return status < 500 ? 'request' : 'failed';
}

/** Links to the same address in each language. They keep the token, or who reads with one would lose the view. */
function translations(zugang: string | undefined): Page['translations'] {
  const rest = zugang === undefined ? '' : `&zugang=${encodeURIComponent(zugang)}`;
  return languages.map((language) => ({
    language,
    name: texts[language].languageName,
    href: `?lang=${language}${rest}`,
  }));
}

/** JSON that ends no element and no line wherever it stands in a page. It stays the same JSON. */
function embeddable(document: object): string {
  return JSON.stringify(document).replace(
    /[<>&\u2028\u2029]/g,
    (character) => `\\u${character.charCodeAt(0).toString(16).padStart(4, '0')}`,
  );
}
