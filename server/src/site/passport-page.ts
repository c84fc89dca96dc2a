import { LRUCache } from 'lru-cache';
import { drawOutlines } from '../carriers/image.ts';
import { digitalLink } from '../carriers/rules.ts';
import type { Language } from '../languages/languages.ts';
import { fill, inLanguage } from '../languages/words.ts';
import type { PassportValue } from '../passports/rules.ts';
import { type Template, templateAt } from '../templates/catalogue.ts';
import { defaultLocale } from '../tenants/rules.ts';
import { cutText } from './allowance.ts';
import { addressOf, passportDocument } from './document.ts';
import { checkCommand, type Explanation, explanationOf } from './explained.ts';
import { type ShownVersion, shownVersions } from './history.ts';
import { type Inspection, inspectionOf, type Origin, originOf } from './inspection.ts';
import { type Page, translations } from './page.ts';
import type { PublicPassport } from './public-passport.ts';
import { type Texts, texts } from './texts.ts';
import { pageBudget, presenterOf, type ShownValue } from './values.ts';

interface Entry {
  label: string;
  value: ShownValue;
  /** The language of the value's texts if it differs from the page's. */
  language: string | undefined;
  /** The audience of a value that is not public. */
  level: string | undefined;
  /** The page shows only a part of the value. */
  isShortened: boolean;
  /** Absent if the template does not have the field. */
  explanation: Explanation | undefined;
  /** Only for inspectors. */
  origin: Origin | undefined;
  /** It is the first value on the page that is not public. */
  isFirstFurther: boolean;
}

/** The content of a passport page. */
export interface PassportPage extends Page {
  name: string;
  nameLanguage: string;
  group: string;
  model: string | null;
  maker: string | undefined;
  issuer: string;
  role: string;
  isExtended: boolean;
  /** What an access token adds. */
  inspection: Inspection | undefined;
  /** Somebody with another access token may see more. */
  mayBeMore: boolean;
  notice: string | undefined;
  /** The address has a token, so search engines must not index the page. */
  isPrivate: boolean;
  completeness: { percent: number; shown: string; label: string };
  facts: { label: string; text: string; isCode: boolean }[];
  sections: { key: string; title: string; entries: Entry[] }[];
  proof: { version: string; hashes: { label: string; hash: string }[]; command: string };
  /** The versions that were public, the latest first. */
  versions: ShownVersion[];
  qr: { modules: number; path: string; link: string };
  canonical: string;
  /** The address of the JSON-LD document, with the token of the page. */
  document: string;
  /** The same document, safe inside a `script` element. Shortened pages do not embed it. */
  embedded: string | undefined;
}

/** The order of the sections: identity, use and end of life, then the responsible companies. */
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
 * The content of a passport page in one language.
 *
 * @param zugang the token of the request, valid or not. The page's own links keep it.
 */
export async function passportPage(
  passport: PublicPassport,
  { language, siteUrl, zugang }: { language: Language; siteUrl: string; zugang: string | undefined },
): Promise<PassportPage> {
  const { path, head, view, publicContentHash } = passport;
  const text = texts[language];
  const presenter = presenterOf(language);
  const template = templateAt(head.product_group, head.template_version);
  const canonical = addressOf(path, siteUrl);
  const maker = makerOf(passport);
  const group = inLanguage(template.title, language);
  const link = head.gtin === null ? canonical : digitalLink(siteUrl, head.gtin);
  const percent = head.completeness;
  const shown = sections(passport, template, language);
  const isShortened = shown.some(({ entries }) => entries.some((entry) => entry.isShortened));
  return {
    language,
    text,
    title: `${head.name} · ${text.passport}`,
    translations: translations(zugang),
    name: head.name,
    nameLanguage: defaultLocale(head.country),
    group,
    model: head.model,
    maker,
    issuer: head.tenant_name,
    role: text.roles[view.role],
    isExtended: view.role !== 'consumer',
    inspection: inspectionOf(passport, template, language),
    mayBeMore: view.role !== 'inspector',
    notice: view.refused ? text.refused : undefined,
    isPrivate: zugang !== undefined,
    completeness: { percent, shown: presenter.percent(percent), label: fill(text.completeness, { percent }) },
    facts: [
      { label: text.facts.model, text: head.model, isCode: false },
      { label: text.facts.gtin, text: head.gtin, isCode: true },
      { label: text.facts.maker, text: maker, isCode: false },
      { label: text.facts.group, text: group, isCode: false },
      { label: text.facts.identifier, text: head.unique_product_identifier, isCode: true },
      { label: text.facts.issuer, text: head.tenant_name, isCode: false },
    ].flatMap((fact) => (fact.text ? [{ ...fact, text: fact.text }] : [])),
    sections: shown,
    proof: {
      version: fill(text.proof.version, {
        version: presenter.number(head.version),
        date: presenter.moment(head.versioned_at),
      }),
      hashes: [
        { label: text.proof.contentHash, hash: head.content_hash },
        { label: text.proof.publicHash, hash: publicContentHash },
      ],
      command: checkCommand(`${canonical}/jsonld`),
    },
    versions: shownVersions(passport, language, siteUrl),
    qr: { ...(await codeOf(link)), link },
    canonical,
    document: `${canonical}/jsonld${zugang === undefined ? '' : `?zugang=${encodeURIComponent(zugang)}`}`,
    embedded: isShortened ? undefined : embeddable(passportDocument(passport, siteUrl)),
  };
}

type Outlines = Awaited<ReturnType<typeof drawOutlines>>;

/** Drawing a code takes as long as the rest of the page. */
const drawn = new LRUCache<string, Outlines>({ max: 1000 });

/** The QR code of a link. */
async function codeOf(link: string): Promise<Outlines> {
  const code = drawn.get(link) ?? (await drawOutlines(link, 'qr'));
  drawn.set(link, code);
  return code;
}

/** In code points, like the name of a product. */
const longestMaker = 500;

function makerOf({ values }: PublicPassport): string | undefined {
  const maker = values.find(({ field_key, is_unknown }) => field_key === 'manufacturer_name' && !is_unknown)?.value;
  return typeof maker === 'string' && maker.trim() !== '' ? cutText(maker, longestMaker) : undefined;
}

/** The values by section, in the order of the template. Values that the template does not have come last. */
function sections(
  { values, view }: PublicPassport,
  { fields }: Template,
  language: Language,
): PassportPage['sections'] {
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
  let hasFurther = false;
  const isFirstFurther = ({ access_level }: PassportValue): boolean => {
    if (access_level === 'public' || hasFurther) return false;
    hasFurther = true;
    return true;
  };
  return sectionOrder.flatMap((key) => {
    const found = bySection.get(key)?.sort((a, b) => a.index - b.index);
    const entries = found?.map(
      ({ field, value }): Entry => ({
        ...presenter.entry(value, field, budget),
        language: value.locale === language ? undefined : value.locale,
        level: value.access_level === 'public' ? undefined : text.levels[value.access_level],
        explanation: field && explanationOf(field, language),
        origin: view.role === 'inspector' ? originOf(value, language) : undefined,
        isFirstFurther: isFirstFurther(value),
      }),
    );
    return entries ? [{ key, title: presenter.words(text.sections[key]), entries }] : [];
  });
}

/** JSON with escapes in place of the characters that could end a `script` element or a line. */
function embeddable(document: object): string {
  return JSON.stringify(document).replace(
    /[<>&\u2028\u2029]/g,
    (character) => `\\u${character.charCodeAt(0).toString(16).padStart(4, '0')}`,
  );
}
