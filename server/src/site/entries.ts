import type { Language } from '../languages/languages.ts';
import type { PassportValue } from '../passports/rules.ts';
import type { Template } from '../templates/catalogue.ts';
import { type Explanation, explanationOf } from './explained.ts';
import { type Origin, originOf } from './inspection.ts';
import { type Picture, pictureOf } from './pictures.ts';
import type { PublicPassport } from './public-passport.ts';
import { texts } from './texts.ts';
import { pageBudget, presenterOf, type ShownValue } from './values.ts';

/** A value with its label, as a page shows it. */
export interface Entry {
  /** The `field_key` of the value. */
  key: string;
  label: string;
  value: ShownValue;
  /** Drawn above the value. The text of the value says the same. */
  picture: Picture | undefined;
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
}

/** An entry and the section of the template that it belongs to. */
export interface PlacedEntry extends Entry {
  section: string | undefined;
}

/** The values in the order of the template. Values that the template does not have come last. */
export function entriesOf({ values, view }: PublicPassport, { fields }: Template, language: Language): PlacedEntry[] {
  const text = texts[language];
  const presenter = presenterOf(language);
  const places = new Map(fields.map((field, index) => [field.key, { field, index }]));
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
        picture: value.is_unknown ? undefined : pictureOf(value, field, shown.value),
        language: foreign(value, language),
        level: value.access_level === 'public' ? undefined : text.levels[value.access_level],
        explanation: field && explanationOf(field, language),
        origin: view.role === 'inspector' ? originOf(value, language) : undefined,
      };
    });
}

/** The language of a value, unless it is the page's. */
export function foreign({ locale }: PassportValue, language: Language): string | undefined {
  return locale === language ? undefined : locale;
}
