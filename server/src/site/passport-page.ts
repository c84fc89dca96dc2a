import {
  dayOf,
  documentAddress,
  dppAddress,
  type PassportValue,
  pageAddress,
  requirementsOn,
  type ViewRole,
} from '@product-passport/openapi';
import { LRUCache } from 'lru-cache';
import { drawOutlines } from '../carriers/image.ts';
import { codeLink } from '../carriers/rules.ts';
import { fill, inLanguage, type Language, type Texts, texts } from '../languages/languages.ts';
import { changedFields } from '../passports/published-versions.ts';
import { actOf, type Template, templateAt } from '../templates/catalogue.ts';
import { basesOf, sourceIn } from './basis.ts';
import { stateOf } from './battery-state.ts';
import { shownImage } from './image.ts';
import { type Findings, findingsOf, inspectionOf } from './inspection.ts';
import { disposalFields, hazardsOf, type KeyFact, keyFactsOf } from './key-facts.ts';
import { hasManyMeasurements } from './measurements.ts';
import { brandOf, footerOf, translations } from './page.ts';
import { emblemOf, layersOf, type Picture } from './pictures.ts';
import { type PublicPassport, passportDocument } from './public-passport.ts';
import { gapOf, sentencesOf } from './request-parts.ts';
import {
  type DocumentLink,
  documentsOf,
  type Entry,
  entriesOf,
  type Operator,
  operatorsOf,
  type Section,
  sectionsOf,
  withRanges,
} from './sections.ts';
import { addressIn, cutText, pageBudget, presenterOf, type ShownValue } from './values.ts';

/** What a page shows as well as its passport. */
interface PageOptions {
  language: Language;
  siteUrl: string;
  /** Views of the page are counted. */
  counts: boolean;
  /** The request has a valid token. The links of the page keep it. */
  hasToken: boolean;
  /** The request names a variant, batch or item. The links to other languages keep it. */
  isOfItem: boolean;
  /** The request names an item of the model, and other items of it have passports of their own. */
  hasItems: boolean;
  /** The day whose requirements an inspector sees. */
  today: string;
}

/** The content of a passport page in one language. */
export async function passportPage(
  passport: PublicPassport,
  { language, siteUrl, counts, hasToken, isOfItem, hasItems, today }: PageOptions,
) {
  const { path, row, view, publicContentHash } = passport;
  const hasParts = hasToken || isOfItem;
  const text = texts[language];
  const presenter = presenterOf(language);
  const template = templateAt(row.product_group, row.template_version);
  const canonical = pageAddress(path, siteUrl);
  const maker = makerOf(passport);
  const group = inLanguage(template.title, language);
  const link = codeLink(siteUrl, path.tenant, { ...row, slug: path.product });
  const shown = { ...passport, values: shownValues(passport, template) };
  const findings = view.role === 'inspector' ? findingsOf(shown, template, language, today) : undefined;
  const entries = entriesOf(shown, template, language, findings);
  const hazards = hazardsOf(passport.values, template, language);
  const day = dayOf(row.versioned_at);
  const facts = keyFactsOf(passport.values, template, { role: view.role, language, day });
  const keyFacts = [...facts, ...stateOf(passport, template, language)];
  const { said, rows } = rowsOf(entries, keyFacts);
  // A sign has its meaning next to it.
  const meanings = new Map(
    said.map(({ key, meaning = '', picture }) => [key, picture?.kind === 'symbol' ? '' : meaning]),
  );
  const { operators, others: remaining } = operatorsOf(withRanges(rows, template, language), text.operators);
  const { documents, others } = documentsOf(remaining);
  const sections = sectionsOf(others, { role: view.role, language, facts: template.facts });
  const documentsTitle = documents.length > 0 ? text.documents : undefined;
  const image = shownImage(path, row);
  const isShortened = entries.some((entry) => entry.isShortened) || hasManyMeasurements(passport);
  return {
    language,
    text,
    title: `${row.name} · ${text.passport}`,
    contentId: 'values',
    brand: brandOf(path.tenant, { ...row, name: row.tenant_name }),
    footer: footerOf(row, language, row.listed_at === null ? undefined : `/p/${path.tenant}`),
    translations: translations(hasParts ? { [gapOf('query')]: '' } : {}),
    // For search engines, and for messages that show a link.
    description: fill(text.description, { name: row.name, group, issuer: row.tenant_name }),
    name: row.name,
    nameLanguage: row.language,
    group,
    maker,
    about: aboutOf(passport, language),
    image,
    // The sign of the product group, in place of an image.
    emblem: emblemOf(row.product_group),
    imageAddress: image && siteUrl + image.path,
    // Whose view it is. Absent for everybody's.
    role: view.role === 'consumer' ? undefined : text.roles[view.role],
    inspection: inspectionOf(shown, language),
    findings: findings?.lines ?? [],
    hazards,
    notice: view.refused ? text.refused : undefined,
    scanned: scannedOf(passport, template, { language, isOfItem, hasItems }),
    // The URL contains something private, such as a token, so search engines must not index the page.
    isPrivate: view.refused || hasParts,
    keyFacts,
    // Links of the first screen: what the reader can do; for inspectors to the evidence.
    ways:
      view.role === 'inspector'
        ? evidenceOf(passport, documents.length, language)
        : actionsOf(passport, { sections, documentsTitle, operators, language }),
    facts: [
      { label: text.facts.model, text: row.model, isCode: false },
      { label: text.facts.gtin, text: row.gtin, isCode: true },
      { label: text.facts.group, text: group, isCode: false },
      { label: text.facts.identifier, text: row.unique_product_identifier, isCode: true },
      { label: text.facts.issuer, text: row.tenant_name, isCode: false },
    ].flatMap((fact) => (fact.text ? [{ ...fact, text: fact.text }] : [])),
    sections,
    documents,
    // The sections and the documents in the order of the reader.
    parts: [...missingPart(findings, language), ...partsOf(sections, documentsTitle, view.role)],
    operators,
    bases: basesOf(passport, template, language, meanings),
    isEmpty: entries.length === 0,
    symbols: symbolsOf([...(hazards?.parts ?? []), ...keyFacts, ...entries]),
    further: firstFurther(sections, documents, operators),
    // Where the rows have no value that is not public.
    furtherTile: keyFacts.find(({ level }) => level),
    notCounted: counts ? undefined : text.notCounted,
    proof: {
      version: fill(text.proof.version, {
        version: presenter.number(row.version),
        date: presenter.moment(row.versioned_at),
      }),
      completeness: fill(text.completeness, { percent: presenter.percent(row.completeness) }),
      list: listIn(passport, template, language),
      hashes: [
        { label: text.proof.contentHash, hash: row.content_hash },
        { label: text.proof.publicHash, hash: publicContentHash },
      ],
      command: checkCommand(`${canonical}/jsonld`),
    },
    versions: shownVersions(passport, language, siteUrl),
    qr: { ...(await codeOf(link)), link },
    canonical,
    ...documentLinks(canonical, hasToken),
    read: readOf(passport, siteUrl),
    // The document, safe inside a `script` element. Shortened pages do not embed it.
    embedded: isShortened ? undefined : embeddable(passportDocument(passport, siteUrl, language)),
  };
}

/** What the passport is about, and what was scanned, as HTML or a gap for it. A model without a scanned code needs no word. */
function scannedOf(
  { row, values }: PublicPassport,
  template: Template,
  { language, isOfItem, hasItems }: Pick<PageOptions, 'language' | 'isOfItem' | 'hasItems'>,
): string | undefined {
  if (isOfItem) {
    // Each battery of these categories needs a passport of its own.
    const { category } = requirementsOn(template, values, dayOf(row.versioned_at));
    return gapOf(hasItems || category !== undefined ? 'unregistered' : 'scanned');
  }
  if (!row.is_item) return undefined;
  return sentencesOf({}, { language, group: row.product_group, opens: 'item', serial: row.public_serial });
}

/** What the first screen says whole is not said again. An inspector has each value with its origin, and a chart its table. */
function rowsOf(entries: Entry[], keyFacts: KeyFact[]): { said: Entry[]; rows: Entry[] } {
  const keys = new Set(keyFacts.flatMap((fact) => fact.said));
  const { said = [], rows = [] } = Object.groupBy(entries, ({ key, chart, anchor }) =>
    keys.has(key) && !chart && !anchor ? 'said' : 'rows',
  );
  return { said, rows };
}

/** What the page is, in parts of one line: which item, and since when everybody reads the same. */
function aboutOf({ row, history }: PublicPassport, language: Language): string[] {
  const text = texts[language].about;
  const presenter = presenterOf(language);
  const changed = history.findIndex(
    ({ public_hash, version }, index) => public_hash !== row.public_hash || version !== row.version - index,
  );
  const since = history[changed < 0 ? history.length - 1 : changed - 1];
  const item = row.public_serial === null ? text.single : fill(text.item, { serial: row.public_serial });
  const version = fill(text.version, { version: presenter.number(row.version) });
  const date = presenter.day(dayOf(since?.created_at ?? row.versioned_at));
  return [...(row.is_item ? [item] : []), version, fill(text.unchanged, { date })];
}

/** Leaves out the `null` of a field that the template does not have: the API cannot remove one that was a mistake. */
function shownValues({ values }: PublicPassport, { fields }: Template): PassportValue[] {
  const known = new Set(fields.map(({ key }) => key));
  return values.filter(({ field_key, value, is_unknown }) => value !== null || is_unknown || known.has(field_key));
}

/** The official list that says what is required, and that it asks for no passport of the product. Its title is English. */
function listIn({ values, row }: PublicPassport, template: Template, language: Language) {
  const { data_points: list } = template;
  if (!list) return undefined;
  const text = texts[language].explained;
  const { title, points } = list;
  const author = sourceIn(list.author, language);
  const date = presenterOf(language).day(list.date);
  const act = sourceIn(actOf(points[0]?.source ?? '').trim(), language);
  const { exempt } = requirementsOn(template, values, dayOf(row.versioned_at));
  const [before = '', after = ''] = fill(text.list, { act, author, date }).split('{title}');
  return { before, title, after: exempt ? `${after} ${text.exempt}` : after };
}

/**
 * Computes the hash of the public values from a document, and compares it with the one in the document. The form of
 * RFC 8785 for what JSON.parse returns: members in the order of UTF-16 code units, everything else as JSON.stringify has it.
 */
const check = [
  'const j=v=>v&&typeof v=="object"?Array.isArray(v)?"["+v.map(j)+"]":"{"+Object.keys(v).sort().map(k=>JSON.stringify(k)+":"+j(v[k]))+"}":JSON.stringify(v)',
  'fetch(process.argv[1]).then(r=>r.json()).then(d=>{const h=require("crypto").createHash("sha256").update(j(d.additionalProperty.filter(p=>p["dpp:accessLevel"]=="public").map(p=>({field_key:p.propertyID,is_unknown:p["dpp:isUnknown"]??false,locale:p["dpp:locale"],unit:p.unitText??null,value:p.value?.["@type"]=="@json"?p.value["@value"]:p.value??null})))).digest("hex")',
  'console.log(h==d.hasDigitalProductPassport["dpp:publicContentHash"]?"OK":"DIFFERENT",h)})',
].join(';');

/** A command in one line for any POSIX shell that checks the public hash of a document. It needs only Node.js. */
function checkCommand(document: string): string {
  return `node -e '${check}' '${document.replaceAll("'", '%27')}'`;
}

/** The address of the read of EN 18222. A tenant without an economic operator has none. */
function readOf({ path, row }: PublicPassport, siteUrl: string): string | undefined {
  return row.economic_operator_id === null ? undefined : dppAddress(path, siteUrl);
}

/** The document with the token of the page, and the same as a formatted file. */
function documentLinks(canonical: string, hasToken: boolean) {
  const token = hasToken ? `zugang=${gapOf('token')}` : '';
  return {
    document: `${canonical}/jsonld${token && `?${token}`}`,
    download: `${canonical}/jsonld?${token && `${token}&`}download`,
  };
}

/** The first value that is not public, in the order of the page. */
function firstFurther(sections: Section[], documents: DocumentLink[], operators: Operator[]): string | undefined {
  const placed = [
    ...sections.flatMap(({ entries }) => entries),
    ...documents.flatMap(({ entry, level }) => (entry ? [{ key: entry.key, level }] : [])),
    ...operators.flatMap(({ entries }) => entries),
  ];
  return placed.find(({ level }) => level !== undefined)?.key;
}

/** What is missing, with its legal basis, in one table before the sections. */
function missingPart(findings: Findings | undefined, language: Language) {
  if (!findings || findings.missing.length === 0) return [];
  const { inspection, explained } = texts[language];
  const said = (text: string): ShownValue => ({ kind: 'said', text });
  const rows = findings.missing.map((row) => row.map(said));
  const table: ShownValue = { kind: 'table', columns: [inspection.missing, explained.basis], rows };
  return [{ key: 'missing', title: inspection.missing, isFolded: false, table }];
}

/** Inspectors have the documents first. For others they come before what is folded. */
function partsOf(
  sections: Section[],
  title: string | undefined,
  role: ViewRole,
): (Omit<Section, 'entries'> & Partial<Section>)[] {
  if (title === undefined) return sections;
  const place = role === 'inspector' ? 0 : sections.filter(({ isFolded }) => !isFolded).length;
  return [...sections.slice(0, place), { key: 'documents', title, isFolded: false }, ...sections.slice(place)];
}

interface Way {
  title: string;
  href: string;
}

interface ActionsFor {
  sections: Section[];
  documentsTitle: string | undefined;
  operators: Operator[];
  language: Language;
}

/** What a reader can do: read the documents, repair or open the product, give it back, write to the company. */
function actionsOf(
  { values, view }: PublicPassport,
  { sections, documentsTitle, operators, language }: ActionsFor,
): Way[] {
  const text = texts[language].actions;
  const found = sections.filter(({ key }) => key === 'repair' || key === 'dismantling');
  const isPart = ({ key }: Entry) => key.startsWith('spare_part');
  const ways = found.map(({ key, title, isFolded, entries }) => ({
    title: key === 'dismantling' ? title : entries.every(isPart) ? text.parts : text.repair,
    href: isFolded ? `#${key}-values` : `#${key}`,
  }));
  const returns =
    view.role === 'consumer' ? values.find(({ field_key }) => disposalFields.includes(field_key)) : undefined;
  const address = typeof returns?.value === 'string' ? addressIn(returns.value) : undefined;
  const about = operators.flatMap(({ entries }) => entries);
  const reached =
    about.find(({ key }) => key.endsWith('_contact')) ?? about.find(({ key }) => key.endsWith('_address'));
  const contact = reached && (reached.value.kind === 'link' ? reached.value.href : '#operators');
  return [
    ...(documentsTitle === undefined ? [] : [{ title: documentsTitle, href: '#documents' }]),
    ...ways,
    ...(address === undefined ? [] : [{ title: text.return, href: address }]),
    ...(contact === undefined ? [] : [{ title: text.contact, href: contact }]),
  ];
}

/** What an inspector looks at first: the documents, the version and its hash. */
function evidenceOf({ row }: PublicPassport, documents: number, language: Language): Way[] {
  const text = texts[language];
  const version = fill(text.history.version, { version: presenterOf(language).number(row.version) });
  return [
    ...(documents === 0 ? [] : [{ title: `${text.documents} (${documents})`, href: '#documents' }]),
    { title: version, href: '#proof' },
    { title: fill(text.proof.hash, { start: row.content_hash.slice(0, 4) }), href: '#hashes' },
  ];
}

/** Each symbol is in the page once. */
function symbolsOf(shown: readonly { picture: Picture | undefined }[]) {
  const codes = shown.flatMap(({ picture }) => {
    if (picture?.kind === 'symbol') return [picture.code];
    return picture?.kind === 'pictograms' ? picture.pictograms.map(({ code }) => code) : [];
  });
  return [...new Set(codes)].flatMap((code) => {
    const layers = layersOf(code);
    return layers ? [{ code, layers }] : [];
  });
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
const maxMakerLength = 500;

function makerOf({ values }: PublicPassport): string | undefined {
  const maker = values.find(({ field_key, is_unknown }) => field_key === 'manufacturer_name' && !is_unknown)?.value;
  return typeof maker === 'string' && maker.trim() !== '' ? cutText(maker, maxMakerLength) : undefined;
}

/** JSON with escapes in place of the characters that could end a `script` element or a line. */
function embeddable(document: object): string {
  return JSON.stringify(document).replace(
    /[<>&\u2028\u2029]/g,
    (character) => `\\u${character.charCodeAt(0).toString(16).padStart(4, '0')}`,
  );
}

/** Changed fields of a version that are named. */
const maxFields = 10;
const maxKeyLength = 100;
/** Of a value among the changes, in code points. */
const maxChangeLength = 60;

/** The versions that were public, the latest first. */
function shownVersions({ path, row, history }: PublicPassport, language: Language, siteUrl: string) {
  const text = texts[language].history;
  const presenter = presenterOf(language);
  return history.map((version, index) => {
    const before = history[index + 1];
    const fields = new Map(
      templateAt(row.product_group, version.template_version).fields.map((field) => [field.key, field]),
    );
    const textIn = (values: PassportValue[] | undefined, key: string): string | undefined => {
      const value = values?.find(({ field_key }) => field_key === key);
      const shown = value && lineOf(presenter.entry(value, fields.get(key), { ...pageBudget }).value);
      return shown === undefined ? undefined : cutText(shown, maxChangeLength);
    };
    const name = (key: string): string => {
      const label = fields.get(key)?.label;
      const field = label ? inLanguage(label, language) : cutText(key, maxKeyLength);
      const [old, now] = [textIn(before?.values, key), textIn(version.values, key)];
      if (now === undefined) return field;
      return fill(old === undefined ? text.now : text.before, { field, before: old ?? '', now });
    };
    return {
      title: fill(text.version, { version: presenter.number(version.version) }),
      moment: presenter.moment(version.created_at),
      hash: version.content_hash,
      // Which public values changed, and how. Absent for the oldest version on the page.
      change: before && changeOf(changedFields(before, version), name, text),
      // The document of the version, without a token.
      href: documentAddress(path, siteUrl, version.version),
    };
  });
}

/** A value in one line. Objects and tables have none. */
function lineOf(shown: ShownValue): string | undefined {
  if (shown.kind === 'said' && shown.own) return `${shown.text} ${shown.own}`;
  if (shown.kind !== 'list') return 'text' in shown ? shown.text : undefined;
  const items = shown.items.map(lineOf);
  return items.includes(undefined) ? undefined : items.join(', ');
}

function changeOf(keys: string[], name: (key: string) => string, text: Texts['history']): string {
  if (keys.length === 0) return text.unchanged;
  const named = keys.slice(0, maxFields).map(name).join(', ');
  const count = keys.length - maxFields;
  return fill(text.changed, { fields: count > 0 ? fill(text.others, { fields: named, count }) : named });
}
