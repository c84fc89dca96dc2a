import type { PlacedEntry } from './entries.ts';
import type { ShownValue } from './values.ts';

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
