import { LRUCache } from 'lru-cache';
import { drawOutlines } from '../carriers/image.ts';
import { codeLink } from '../carriers/rules.ts';
import type { Language } from '../languages/languages.ts';
import { fill, inLanguage } from '../languages/words.ts';
import { templateAt } from '../templates/catalogue.ts';
import { defaultLocale } from '../tenants/rules.ts';
import { cutText } from './allowance.ts';
import { addressOf, passportDocument } from './document.ts';
import { type DocumentLink, documentsOf } from './documents.ts';
import { entriesOf } from './entries.ts';
import { checkCommand } from './explained.ts';
import { type ShownVersion, shownVersions } from './history.ts';
import { type ShownImage, shownImage } from './image.ts';
import { type Inspection, inspectionOf } from './inspection.ts';
import { type KeyFact, keyFactsOf } from './key-facts.ts';
import { type Operator, operatorsOf } from './operators.ts';
import { inText, type OwnParts } from './own-parts.ts';
import { brandOf, type Page, translations } from './page.ts';
import type { PublicPassport } from './public-passport.ts';
import { type Section, sectionsOf } from './sections.ts';
import { type Texts, texts } from './texts.ts';
import { presenterOf } from './values.ts';

/** The content of a passport page. */
export interface PassportPage extends Page {
  /** For search engines, and for messages that show a link. */
  description: string;
  name: string;
  nameLanguage: string;
  group: string;
  model: string | null;
  maker: string | undefined;
  issuer: string;
  image: ShownImage | undefined;
  /** The whole address of the image, for messages that show a link. */
  imageAddress: string | undefined;
  role: string;
  isExtended: boolean;
  /** What an access token adds. */
  inspection: Inspection | undefined;
  /** Somebody with another access token may see more. */
  mayBeMore: boolean;
  notice: string | undefined;
  /** The batch and the serial number of the scanned code. */
  scanned: string | undefined;
  /** The address has a part of its own, such as a token, so search engines must not index the page. */
  isPrivate: boolean;
  keyFacts: KeyFact[];
  facts: { label: string; text: string; isCode: boolean }[];
  sections: Section[];
  documents: DocumentLink[];
  operators: Operator[];
  /** The `field_key` of the first value on the page that is not public. */
  further: string | undefined;
  proof: { version: string; completeness: string; hashes: { label: string; hash: string }[]; command: string };
  /** The versions that were public, the latest first. */
  versions: ShownVersion[];
  qr: { modules: number; path: string; link: string };
  canonical: string;
  /** The address of the JSON-LD document, with the token of the page. */
  document: string;
  /** The address of the same document as a formatted file. */
  download: string;
  /** The same document, safe inside a `script` element. Shortened pages do not embed it. */
  embedded: string | undefined;
}

/**
 * The content of a passport page in one language.
 *
 * @param own what the page has of this request only. Its links keep it.
 */
export async function passportPage(
  passport: PublicPassport,
  { language, siteUrl, own }: { language: Language; siteUrl: string; own: OwnParts },
): Promise<PassportPage> {
  const { path, head, view, publicContentHash } = passport;
  const { zugang } = own;
  const text = texts[language];
  const presenter = presenterOf(language);
  const template = templateAt(head.product_group, head.template_version);
  const canonical = addressOf(path, siteUrl);
  const maker = makerOf(passport);
  const group = inLanguage(template.title, language);
  const link = codeLink(siteUrl, path.tenant, { slug: path.product, gtin: head.gtin });
  const entries = entriesOf(passport, template, language);
  const { operators, others: remaining } = operatorsOf(entries, text.operators);
  const { documents, others } = documentsOf(remaining);
  const sections = sectionsOf(others, language);
  const image = shownImage(path, head);
  const isShortened = entries.some((entry) => entry.isShortened);
  return {
    language,
    text,
    title: `${head.name} · ${text.passport}`,
    brand: brandOf(head.tenant_name, head.tenant_color),
    translations: translations(own),
    description: fill(text.description, { name: head.name, group, issuer: head.tenant_name }),
    name: head.name,
    nameLanguage: defaultLocale(head.country),
    group,
    model: head.model,
    maker,
    issuer: head.tenant_name,
    image,
    imageAddress: image && siteUrl + image.path,
    role: text.roles[view.role],
    isExtended: view.role !== 'consumer',
    inspection: inspectionOf(passport, template, language),
    mayBeMore: view.role !== 'inspector',
    notice: view.refused ? text.refused : undefined,
    scanned: scannedOf(own, text.scanned),
    isPrivate: Object.keys(own).length > 0,
    keyFacts: keyFactsOf(passport.values, template, language),
    facts: [
      { label: text.facts.model, text: head.model, isCode: false },
      { label: text.facts.gtin, text: head.gtin, isCode: true },
      { label: text.facts.maker, text: maker, isCode: false },
      { label: text.facts.group, text: group, isCode: false },
      { label: text.facts.identifier, text: head.unique_product_identifier, isCode: true },
      { label: text.facts.issuer, text: head.tenant_name, isCode: false },
    ].flatMap((fact) => (fact.text ? [{ ...fact, text: fact.text }] : [])),
    sections,
    documents,
    operators,
    further: firstFurther({ sections, documents, operators }),
    proof: {
      version: fill(text.proof.version, {
        version: presenter.number(head.version),
        date: presenter.moment(head.versioned_at),
      }),
      completeness: fill(text.completeness, { percent: presenter.percent(head.completeness) }),
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
    download: `${canonical}/jsonld?${zugang === undefined ? '' : `zugang=${encodeURIComponent(zugang)}&`}download`,
    embedded: isShortened ? undefined : embeddable(passportDocument(passport, siteUrl)),
  };
}

/** The first value that is not public, in the order of the page. */
function firstFurther({ sections, documents, operators }: Pick<PassportPage, 'sections' | 'documents' | 'operators'>) {
  const placed = [
    ...sections.flatMap(({ entries }) => entries),
    ...documents.flatMap(({ entry, level }) => (entry ? [{ key: entry.key, level }] : [])),
    ...operators.flatMap(({ entries }) => entries),
  ];
  return placed.find(({ level }) => level !== undefined)?.key;
}

/** The sentence about the scanned item. */
function scannedOf({ batch = '', serial = '' }: OwnParts, text: Texts['scanned']): string | undefined {
  const marks = { batch: inText(batch), serial: inText(serial) };
  if (serial !== '') return fill(batch === '' ? text.serial : text.both, marks);
  return batch === '' ? undefined : fill(text.batch, marks);
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

/** JSON with escapes in place of the characters that could end a `script` element or a line. */
function embeddable(document: object): string {
  return JSON.stringify(document).replace(
    /[<>&\u2028\u2029]/g,
    (character) => `\\u${character.charCodeAt(0).toString(16).padStart(4, '0')}`,
  );
}
