import type { Language } from '../languages/languages.ts';
import { type Texts, texts } from '../languages/words.ts';
import type { Entry, PlacedEntry } from './entries.ts';
import { presenterOf, type ShownValue } from './values.ts';

/** What a reader in danger looks for, in this order, whatever its section in the template. */
export const safetyFields = [
  'hazard_pictograms',
  'signal_word',
  'hazard_statements',
  'precautionary_statements',
  'emergency_phone',
  'hazardous_substances',
  'extinguishing_agent',
  'safety_measures',
  'safety_warnings',
  'safety_information',
];

/** The order of the sections: safety and identity, use and end of life, then the evidence. */
export const sectionOrder = [
  'safety',
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

export interface Section {
  key: string;
  title: string;
  entries: Entry[];
}

/** The entries by section. The entries of a section keep their order. */
export function sectionsOf(entries: PlacedEntry[], language: Language): Section[] {
  const titles = texts[language].sections;
  const presenter = presenterOf(language);
  const bySection = Map.groupBy(entries, ({ key, section }) => {
    if (safetyFields.includes(key)) return 'safety';
    return section && Object.hasOwn(titles, section) ? section : 'own';
  });
  bySection.get('safety')?.sort((a, b) => safetyFields.indexOf(a.key) - safetyFields.indexOf(b.key));
  return sectionOrder.flatMap((key) => {
    const found = bySection.get(key);
    return found ? [{ key, title: presenter.words(titles[key]), entries: found }] : [];
  });
}

/** A link to another site, with words and its host, so that the reader sees where it leads. */
export interface DocumentLink {
  words: string;
  language: string | undefined;
  href: string;
  host: string;
  level: string | undefined;
  /** The `field_key`, and what the page says about the value. Only with the first link of a value. */
  entry: Pick<PlacedEntry, 'key' | 'label' | 'explanation' | 'origin'> | undefined;
}

type Link = Extract<ShownValue, { kind: 'link' }>;

/** The links of all entries that are links and nothing else, and the other entries. */
export function documentsOf(entries: PlacedEntry[]): { documents: DocumentLink[]; others: PlacedEntry[] } {
  const documents: DocumentLink[] = [];
  const others: PlacedEntry[] = [];
  for (const entry of entries) {
    const links = entry.isShortened ? [] : linksOf(entry.value);
    if (links.length === 0) others.push(entry);
    for (const link of links) documents.push(documentLink(link, entry, link === links[0]));
  }
  return { documents, others };
}

function documentLink({ text, href }: Link, entry: PlacedEntry, isFirst: boolean): DocumentLink {
  const { label, level, language } = entry;
  // An address says little. The title of `{url, title}` says more than the label.
  const hasTitle = !/^https?:/i.test(text);
  const { host } = new URL(href);
  return {
    ...{ href, host, level },
    words: hasTitle ? text : label,
    language: hasTitle ? language : undefined,
    entry: isFirst ? entry : undefined,
  };
}

function linksOf(value: ShownValue): Link[] {
  const items = value.kind === 'list' ? value.items : [value];
  const links = items.filter((item) => item.kind === 'link' && /^https?:/.test(item.href)) as Link[];
  return links.length === items.length ? links : [];
}

/** A company that answers for the product, with what the passport says about it. */
export interface Operator {
  title: string;
  /** Name, postal address and contact. */
  entries: PlacedEntry[];
}

const operators = ['manufacturer', 'importer'] as const satisfies (keyof Texts['operators'])[];
const parts = ['name', 'address', 'contact'];

/** The companies that answer for the product, and the entries that are not about them. */
export function operatorsOf(
  entries: PlacedEntry[],
  titles: Texts['operators'],
): { operators: Operator[]; others: PlacedEntry[] } {
  const byKey = new Map(entries.map((entry) => [entry.key, entry]));
  const found = operators.flatMap((operator) => {
    const about = parts.flatMap((part) => byKey.get(`${operator}_${part}`) ?? []);
    return about.length > 0 ? [{ title: titles[operator], entries: about }] : [];
  });
  const shown = new Set(found.flatMap((operator) => operator.entries));
  return { operators: found, others: entries.filter((entry) => !shown.has(entry)) };
}
