import { type PassportValue, typeset, type ViewRole } from '@product-passport/openapi';
import { fill, inLanguage, type Language, type Texts, texts } from '../languages/languages.ts';
import type { Template } from '../templates/catalogue.ts';
import type { Findings } from './inspection.ts';
import { chartOf } from './measurements.ts';
import { labelFields, pictureOf } from './pictures.ts';
import type { PublicPassport } from './public-passport.ts';
import { eprelField, pageBudget, presenterOf, type ShownValue } from './values.ts';

/** A value with its label, as a page shows it, and the section of the template that it belongs to. */
export type Entry = ReturnType<typeof entriesOf>[number];

/** The values in the order of the template. Values that the template does not have come last. */
export function entriesOf(
  passport: PublicPassport,
  template: Template,
  language: Language,
  findings: Findings | undefined,
) {
  const { values } = passport;
  const { fields } = template;
  const text = texts[language];
  const presenter = presenterOf(language);
  const places = new Map(fields.map((field, index) => [field.key, { field, index }]));
  // The number of the product in EPREL follows the classes of its label.
  const [registered, label] = [places.get(eprelField), fields.findLast(({ key }) => labelFields.includes(key))];
  if (registered && label) {
    const field = { ...registered.field, section: label.section };
    places.set(eprelField, { field, index: fields.indexOf(label) + 0.5 });
  }
  const budget = { ...pageBudget };
  return values
    .map((value) => ({ value, ...(places.get(value.field_key) ?? { field: undefined, index: fields.length }) }))
    .sort((a, b) => a.index - b.index)
    .map(({ value, field }) => {
      const shown = presenter.entry(value, field, budget);
      return {
        key: value.field_key,
        section: field?.section,
        ...shown,
        // Drawn above the value. The text of the value says the same.
        picture: value.is_unknown ? undefined : pictureOf(value, field, shown.value),
        // What was measured before.
        chart: chartOf(value, passport, template, language),
        language: foreign(value, language),
        // The audience of a value that is not public.
        level: value.access_level === 'public' ? undefined : text.levels[value.access_level],
        // What the field means, where its label does not say it.
        meaning: field?.meaning && typeset(inLanguage(field.meaning, language)),
        // Only for inspectors: what differs from the other values, and the `id` of the value on the page.
        ...(findings?.of(value) ?? { origin: undefined, hasFinding: false, anchor: undefined }),
      };
    });
}

/** The lowest and the highest value of a range in one row: 30 to 42 V, whose unit is said once. */
export function withRanges(entries: Entry[], { rules }: Template, language: Language): Entry[] {
  const { range, ranges } = texts[language];
  const titles: Partial<Record<string, string>> = ranges;
  const entryAt = (key: string | undefined): Entry | undefined => entries.find((entry) => entry.key === key);
  const joined = rules.flatMap(({ kind, fields }) => {
    const [low, high] = kind === 'ascending' ? [entryAt(fields[0]), entryAt(fields.at(-1))] : [];
    const title = low && titles[low.key];
    // An inspector looks at each value, its origin and its marks.
    if (!low || !high || title === undefined || low.level !== high.level || low.anchor) return [];
    const [from, to] = [measureOf(low), measureOf(high)];
    if (!from || !to || from.unit !== to.unit) return [];
    const text = fill(range, { low: from.number, high: `${to.number}${to.unit}` });
    const entry: Entry = { ...low, label: presenterOf(language).words(title), value: { kind: 'said', text } };
    return [{ low, high, entry }];
  });
  return entries.flatMap((entry) => {
    if (joined.some(({ high }) => high === entry)) return [];
    return joined.find(({ low }) => low === entry)?.entry ?? entry;
  });
}

/** A number of the passport and its unit, as the page writes them. */
function measureOf({ value }: Entry): { number: string; unit: string } | undefined {
  if (value.kind !== 'said' || value.given !== undefined) return undefined;
  const [, number, unit = ''] = /^(−?[\d.,\s]*\d)(\s?[^\d]+)$/u.exec(value.text) ?? [];
  return number === undefined ? undefined : { number, unit };
}

/** The language of a value, unless it is the page's. */
export function foreign({ locale }: PassportValue, language: Language): string | undefined {
  return locale === language ? undefined : locale;
}

/**
 * Four readers open a page, most of them on a telephone. The first screen (360 by 640) answers the question of each:
 *
 * - shopper: What is this, what is it made of, is it dangerous, and how do I care for it?
 * - repairer, on the public page too: Where are the parts and the manuals, and how do I open it?
 * - recycler: How do I take it apart safely, what is in it, and which documents help me?
 * - inspector: What is missing, what deviates, and what does somebody have to review?
 *
 * `key-facts.ts` and `inspection.ts` make that screen. Below it stand the sections that say more about the question. The
 * others are folded, and administration comes last.
 */
const readingOrder: Readonly<Record<ViewRole, { open: SectionKey[]; folded: SectionKey[] }>> = {
  consumer: {
    open: ['safety', 'composition', 'use', 'durability', 'repair', 'dismantling', 'end_of_life'],
    folded: ['performance', 'environment', 'substances', 'supply_chain', 'identification', 'compliance'],
  },
  recycler: {
    open: ['safety', 'dismantling', 'substances', 'composition', 'end_of_life', 'repair'],
    folded: ['identification', 'performance', 'durability', 'use', 'supply_chain', 'environment', 'compliance'],
  },
  inspector: {
    open: [
      ...(['safety', 'compliance', 'identification', 'performance', 'durability', 'repair'] as const),
      ...(['substances', 'composition', 'supply_chain'] as const),
    ],
    folded: ['environment', 'use', 'dismantling', 'end_of_life'],
  },
};

/** The sections as a shopper finds them. */
export const sectionOrder: SectionKey[] = [
  ...readingOrder.consumer.open,
  ...readingOrder.consumer.folded,
  'economic_operator',
  'own',
];

/** How to open the product, whatever the section in the template. */
const dismantlingFields = ['dismantling_information', 'disassembly_instructions', 'secure_data_deletion'];

/** How to handle the product. Unlike warnings, which stand whole in their section, the first screen may say it alone. */
export const handlingFields = ['hazardous_substances', 'extinguishing_agent', 'safety_measures'];

/** What a reader in danger looks for, in this order, whatever its section in the template. */
export const safetyFields = [
  'hazard_pictograms',
  'signal_word',
  'hazard_statements',
  'precautionary_statements',
  'emergency_phone',
  ...handlingFields,
  'safety_warnings',
  'safety_information',
];

type SectionKey = keyof Texts['sections'];

export interface Section {
  key: string;
  title: string;
  entries: Entry[];
  isFolded: boolean;
}

/** The entries by section, in the order for the reader. The entries of a section keep their order. */
export function sectionsOf(entries: Entry[], { role, language, facts }: SectionsFor): Section[] {
  const titles = texts[language].sections;
  const presenter = presenterOf(language);
  const bySection = Map.groupBy(entries, ({ key, section }) => sectionOf(key, section));
  bySection.get('safety')?.sort((a, b) => safetyFields.indexOf(a.key) - safetyFields.indexOf(b.key));
  const { open, folded } = readingOrder[role];
  const first = role === 'consumer' ? facts.flatMap(({ fields }) => fields) : [];
  const isOpen = (key: SectionKey, found: Entry[]): boolean =>
    open.includes(key) || found.some((entry) => first.includes(entry.key) || entry.hasFinding);
  const sections = [...open, ...folded, 'economic_operator' as const, 'own' as const].flatMap((key) => {
    const found = bySection.get(key);
    return found ? [{ key, title: presenter.words(titles[key]), entries: found, isFolded: !isOpen(key, found) }] : [];
  });
  // One is open, whatever it is.
  const [top] = sections;
  if (top && sections.every(({ isFolded }) => isFolded)) top.isFolded = false;
  return [...sections.filter(({ isFolded }) => !isFolded), ...sections.filter(({ isFolded }) => isFolded)];
}

interface SectionsFor {
  role: ViewRole;
  language: Language;
  /** The key facts of the product group: sections with one of them say what the product is. */
  facts: Template['facts'];
}

/** The section of a field: mostly the template's. */
export function sectionOf(key: string, section: string | undefined): SectionKey {
  if (safetyFields.includes(key)) return 'safety';
  if (dismantlingFields.includes(key)) return 'dismantling';
  return sectionOrder.find((known) => known === section) ?? 'own';
}

export type DocumentLink = ReturnType<typeof documentLink>;
type Link = Extract<ShownValue, { kind: 'link' }>;

/** The links of all entries that are links and nothing else, and the other entries. */
export function documentsOf(entries: Entry[]): { documents: DocumentLink[]; others: Entry[] } {
  const documents: DocumentLink[] = [];
  const others: Entry[] = [];
  for (const entry of entries) {
    const links = entry.isShortened || entry.key === eprelField ? [] : linksOf(entry.value);
    if (links.length === 0) others.push(entry);
    for (const link of links) documents.push(documentLink(link, entry, link === links[0]));
  }
  return { documents, others };
}

/** A link to another site, with words and its host, so that the reader sees where it leads. */
function documentLink({ text, href }: Link, entry: Entry, isFirst: boolean) {
  const { label, level, language } = entry;
  // An address says little. The title of `{url, title}` says more than the label.
  const hasTitle = !/^https?:/i.test(text);
  const { host } = new URL(href);
  return {
    ...{ href, host, level },
    words: hasTitle ? text : label,
    language: hasTitle ? language : undefined,
    // Only with the first link of a value.
    entry: isFirst ? entry : undefined,
  };
}

function linksOf(value: ShownValue): Link[] {
  const items = value.kind === 'list' ? value.items : [value];
  const links = items.filter((item) => item.kind === 'link' && /^https?:/.test(item.href)) as Link[];
  return links.length === items.length ? links : [];
}

/** A company that answers for the product, with what the passport says about it: name, postal address, contact and identifier. */
export type Operator = ReturnType<typeof operatorsOf>['operators'][number];

const operators = ['manufacturer', 'importer', 'operator'] as const satisfies (keyof Texts['operators'])[];
const parts = ['name', 'address', 'contact', 'identifier'];

/** The companies that answer for the product, and the entries that are not about them. */
export function operatorsOf(entries: Entry[], titles: Texts['operators']) {
  const byKey = new Map(entries.map((entry) => [entry.key, entry]));
  const found = operators.flatMap((operator) => {
    const about = parts.flatMap((part) => byKey.get(`${operator}_${part}`) ?? []);
    return about.length > 0 ? [{ title: titles[operator], entries: about }] : [];
  });
  const shown = new Set(found.flatMap((operator) => operator.entries));
  return { operators: found, others: entries.filter((entry) => !shown.has(entry)) };
}
