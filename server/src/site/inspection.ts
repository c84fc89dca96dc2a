/** What a page adds for viewers with an access token. */
import { isAnswered, type PassportValue, requirementsOn } from '@product-passport/openapi';
import { fill, type Language, texts } from '../languages/languages.ts';
import { actOf, misfitsIn, sourcesOf, type Template, type TemplateField } from '../templates/catalogue.ts';
import { ruleIn, sourceIn } from './basis.ts';
import type { PublicPassport } from './public-passport.ts';
import { presenterOf } from './values.ts';

export interface Inspection {
  /** How many values everybody else does not see. Absent if there are none. */
  further: string | undefined;
  /** The public view: the address of the page without the token. */
  publicView: string;
}

/** What the view of a token adds to the page. `undefined` for the public view. */
export function inspectionOf({ view, values }: PublicPassport, language: Language): Inspection | undefined {
  if (view.role === 'consumer') return undefined;
  const count = values.filter(({ access_level }) => access_level !== 'public').length;
  return {
    further: count === 0 ? undefined : presenterOf(language).counted(texts[language].inspection.further, count),
    publicView: `?lang=${language}`,
  };
}

/** What stands at a value for an inspector. */
export interface Origin {
  /** Where it comes from and when it was written. Absent if that is the common origin. */
  text: string | undefined;
  /** The findings about the value. */
  marks: string[];
}

/** A field, with the address of its value if there is one. */
interface FoundField {
  text: string;
  href: string | undefined;
}

/** Fields that a line of the first screen names: one with its legal reference, or two. */
const maxNamed = { referenced: 1, plain: 2 };

/** A line of the inspector's first screen. */
export interface Finding {
  /** Absent for what is in order, which has a sign. */
  label: string | undefined;
  /** The fields that it is about. */
  items: FoundField[];
  /** The fields that the first screen has no room for. They are folded. */
  more: FoundField[];
  /** Stands in place of the items. */
  text: string | undefined;
}

/** Between the source and the date of a value. */
const separator = ' · ';

/** What an inspector looks for. Only an inspector sees every value: for a recycler a hidden value would look missing. */
export class Findings {
  readonly #language: Language;
  readonly #passport: PublicPassport;
  readonly #template: Template;
  readonly #fields: ReadonlyMap<string, TemplateField>;
  readonly #anchors: ReadonlyMap<string, string>;
  readonly #today: string;
  /** The origin of most values. */
  readonly #common: string | undefined;

  /** @param today what is missing is what the template requires on this day */
  constructor(passport: PublicPassport, template: Template, language: Language, today: string) {
    this.#today = today;
    this.#language = language;
    this.#passport = passport;
    this.#template = template;
    this.#fields = new Map(template.fields.map((field) => [field.key, field]));
    this.#anchors = new Map(passport.values.map(({ field_key }, index) => [field_key, `value-${index + 1}`]));
    const groups = [...Map.groupBy(passport.values, (value) => this.#originOf(value))];
    this.#common = groups.sort(([, a], [, b]) => b.length - a.length)[0]?.[0];
  }

  /** What the page says at a value. */
  of(value: PassportValue): { origin: Origin | undefined; hasFinding: boolean; anchor: string | undefined } {
    const text = texts[this.#language].inspection;
    const origin = this.#originOf(value);
    const marks = [
      ...(value.needs_review ? [text.review] : []),
      ...(deviates(value, this.#fields.get(value.field_key)) ? [text.deviates] : []),
    ];
    const [source = '', date = ''] = (this.#common ?? '').split(separator);
    const differing = origin.split(separator).filter((part) => part !== source && part !== date);
    const own = differing.length === 0 ? undefined : fill(text.origin, { origin: differing.join(separator) });
    return {
      origin: own === undefined && marks.length === 0 ? undefined : { text: own, marks },
      hasFinding: marks.length > 0,
      anchor: this.#anchors.get(value.field_key),
    };
  }

  /** The lines of the first screen: what was found, then in one line what is in order. */
  lines(): Finding[] {
    const text = texts[this.#language].inspection;
    const { values, row } = this.#passport;
    const { missing, rules } = requirementsOn(this.#template, values, this.#today);
    const unasked = values.filter((value) => {
      const rule = rules.get(value.field_key)?.rule;
      return isAnswered(value) && (rule === 'later' || rule === 'not shown');
    });
    const date = presenterOf(this.#language).day(this.#today);
    const isListed = this.#template.data_points !== undefined;
    const deviating = values.filter((value) => deviates(value, this.#fields.get(value.field_key)));
    const reviewed = values.filter(({ needs_review }) => needs_review);
    const status = new Map(Object.entries(text.statuses)).get(row.registry_status) ?? row.registry_status;
    const checks = [
      {
        found: this.#line(
          isListed ? fill(text.missingOn, { date }) : text.missing,
          missing.map(({ key }) => key),
          isListed
            ? (key, field) => {
                const points = rules.get(key)?.points ?? [];
                // The page names the act with the list of the points.
                const sources = sourcesOf(points);
                const source = sourceIn(sources.slice(actOf(sources).length), this.#language);
                const numbers = points.map(({ number }) => number).join(', ');
                return points.length === 0 ? field : fill(text.point, { field, numbers, source });
              }
            : undefined,
        ),
        otherwise: isListed ? fill(text.completeOn, { date }) : text.complete,
      },
      { found: this.#line(text.deviating, keysOf(deviating)), otherwise: text.conforming },
      { found: this.#line(text.toReview, keysOf(reviewed)), otherwise: text.reviewed },
      {
        found: this.#line(text.notAsked, keysOf(unasked), (key, field) => {
          const rule = rules.get(key);
          return rule ? `${field}: ${ruleIn(rule, this.#language)}` : field;
        }),
        otherwise: undefined,
      },
    ];
    const passed = checks.flatMap(({ found, otherwise }) => (found.items.length === 0 && otherwise ? [otherwise] : []));
    return [
      ...checks.map(({ found }) => found).filter(({ items }) => items.length > 0),
      ...plain(undefined, passed.join(separator)),
      ...plain(text.registry, [status, row.registry_id ?? []].flat().join(separator)),
      ...plain(text.common, this.#common),
    ];
  }

  #line(label: string, keys: string[], words?: (key: string, field: string) => string): Finding {
    const items = keys.map((key) => {
      const field = this.#fields.get(key);
      const anchor = this.#anchors.get(key);
      const name = field ? presenterOf(this.#language).label(field.label) : key;
      return { text: words?.(key, name) ?? name, href: anchor && `#${anchor}` };
    });
    const max = words ? maxNamed.referenced : maxNamed.plain;
    return { label: `${label} (${items.length})`, items: items.slice(0, max), more: items.slice(max), text: undefined };
  }

  #originOf({ source, updated_at }: PassportValue): string {
    const { sources } = texts[this.#language].inspection;
    return [sources[source], presenterOf(this.#language).moment(updated_at)].join(separator);
  }
}

const keysOf = (values: PassportValue[]): string[] => values.map(({ field_key }) => field_key);

/** A line without fields, if there is something to say. */
function plain(label: string | undefined, text: string | undefined): Finding[] {
  return text ? [{ label, items: [], more: [], text }] : [];
}

/** Whether a value does not fit its field. The owner chose its access level, and own fields have no form. */
function deviates(value: PassportValue, field: TemplateField | undefined): boolean {
  return field !== undefined && misfitsIn(field, value).some(({ code }) => code !== 'weak_access_level');
}
