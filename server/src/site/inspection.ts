/** What a page adds for viewers with an access token. */
import { missingFields, type PassportValue } from '@product-passport/openapi';
import { type Language, localeOf } from '../languages/languages.ts';
import { fill, inLanguage, texts } from '../languages/words.ts';
import type { Template } from '../templates/catalogue.ts';
import type { PublicPassport } from './public-passport.ts';
import { presenterOf } from './values.ts';

export interface Inspection {
  /** How many values everybody else does not see. Absent if there are none. */
  further: string | undefined;
  /** The public view: the address of the page without the token. */
  publicView: string;
  /** Only for inspectors: the required fields without a value, and the status in the registry. */
  notes: string[];
}

/** What the view of a token adds to the page. `undefined` for the public view. */
export function inspectionOf(passport: PublicPassport, template: Template, language: Language): Inspection | undefined {
  const { view, values, row } = passport;
  if (view.role === 'consumer') return undefined;
  const text = texts[language].inspection;
  const count = values.filter(({ access_level }) => access_level !== 'public').length;
  const forms: Record<string, string> = text.further;
  const form = forms[new Intl.PluralRules(localeOf(language)).select(count)] ?? text.further.other;
  // Only an inspector sees every value. For a recycler a hidden value would look like a missing one.
  const missing = missingFields(template, values).map(({ label }) => inLanguage(label, language));
  const status = new Map(Object.entries(text.statuses)).get(row.registry_status) ?? row.registry_status;
  const registry = row.registry_id === null ? text.registry : text.registryId;
  return {
    further: count === 0 ? undefined : fill(form, { count }),
    publicView: `?lang=${language}`,
    notes:
      view.role === 'inspector'
        ? [
            missing.length === 0 ? text.complete : fill(text.missing, { fields: missing.join(', ') }),
            fill(registry, { status, id: row.registry_id ?? '' }),
          ]
        : [],
  };
}

/** Where a value comes from, and when it was written. */
export interface Origin {
  text: string;
  /** Present if the value needs a review. */
  review: string | undefined;
}

/** The origin of a value, for inspectors. */
export function originOf({ source, updated_at, needs_review }: PassportValue, language: Language): Origin {
  const text = texts[language].inspection;
  return {
    text: fill(text.origin, { source: text.sources[source], date: presenterOf(language).moment(updated_at) }),
    review: needs_review ? text.review : undefined,
  };
}
