import type { Language } from '../languages/languages.ts';
import type { Entry, PlacedEntry } from './entries.ts';
import { type Texts, texts } from './texts.ts';
import { presenterOf } from './values.ts';

/** What a reader in danger looks for, in this order, whatever its section in the template. */
const safetyFields = [
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
const sectionOrder = [
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
