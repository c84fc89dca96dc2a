/** What a page adds for viewers with an access token. */
import { isAnswered, isTooOpen, type PassportValue, requirementsOn } from '@product-passport/openapi';
import { fill, type Language, texts } from '../languages/languages.ts';
import { confirmedIn } from '../passports/store.ts';
import { actOf, findingsIn, sourcesOf, type Template, type TemplateField } from '../templates/catalogue.ts';
import { ruleIn, sourceIn } from './basis.ts';
import type { PublicPassport } from './public-passport.ts';
import { presenterOf } from './values.ts';

/** What the view of a token adds to the page. `undefined` for the public view. */
export function inspectionOf({ view, values }: PublicPassport, language: Language) {
  if (view.role === 'consumer') return undefined;
  const count = values.filter(({ access_level }) => access_level !== 'public').length;
  return {
    // How many values everybody else does not see.
    further: count === 0 ? undefined : presenterOf(language).counted(texts[language].inspection.further, count),
    // The public view: the address of the page without the token.
    publicView: `?lang=${language}`,
  };
}

/** A field, with the address of its value if there is one. */
interface FoundField {
  text: string;
  href: string | undefined;
}

/** Fields that a line of the first screen names: one with its legal reference, or two. */
const maxNamed = { referenced: 1, plain: 2 };

/** A line of the inspector's first screen. */
interface Finding {
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

export type Findings = ReturnType<typeof findingsOf>;

/**
 * What an inspector looks for. Only an inspector sees every value: for a recycler a hidden value would look missing.
 *
 * @param today what is missing is what the template requires on this day
 */
export function findingsOf({ values, row }: PublicPassport, template: Template, language: Language, today: string) {
  const text = texts[language].inspection;
  const presenter = presenterOf(language);
  const fields = new Map(template.fields.map((field) => [field.key, field]));
  const anchors = new Map(values.map(({ field_key }, index) => [field_key, `value-${index + 1}`]));
  const found = findingsIn(template, values, today, confirmedIn(row.confirmed));
  const [weak, others] = [found.filter(isTooOpen), found.filter((finding) => !isTooOpen(finding))];
  const tooOpen = values.filter((value) => weak.some(isAbout(value)));
  const deviating = values.filter((value) => others.some(isAbout(value)));
  const originOf = ({ source, updated_at }: PassportValue): string =>
    [text.sources[source], presenter.moment(updated_at)].join(separator);
  // The origin of most values.
  const origins = [...Map.groupBy(values, originOf)].sort(([, a], [, b]) => b.length - a.length);
  const common = origins[0]?.[0];

  function line(label: string, keys: string[], words?: (key: string, field: string) => string): Finding {
    const items = keys.map((key) => {
      const [field, anchor] = [fields.get(key), anchors.get(key)];
      const name = field ? presenter.label(field.label) : key;
      return {
        text: words?.(key, name) ?? name,
        href: anchor ? `#${anchor}` : lack.includes(key) ? '#missing' : undefined,
      };
    });
    const max = words ? maxNamed.referenced : maxNamed.plain;
    return { label: `${label} (${items.length})`, items: items.slice(0, max), more: items.slice(max), text: undefined };
  }

  const { missing, rules } = requirementsOn(template, values, today);
  const unasked = values.filter((value) => {
    const rule = rules.get(value.field_key)?.rule;
    return isAnswered(value) && (rule === 'later' || rule === 'not shown');
  });
  /** Why a field is required: its points, whose act the page names with the list, or its source. */
  function basisOf({ key, source }: TemplateField): string {
    const points = rules.get(key)?.points ?? [];
    if (points.length === 0) return sourceIn(source, language);
    const sources = sourcesOf(points);
    const numbers = points.map(({ number }) => number).join(', ');
    return fill(text.point, { numbers, source: sourceIn(sources.slice(actOf(sources).length), language) });
  }
  const lack = missing.map(({ key }) => key);
  const onDay = { date: presenter.day(today) };
  const checks: [found: Finding, otherwise: string | undefined][] = [
    [line(text.tooOpen, keysOf(tooOpen)), undefined],
    template.data_points
      ? [line(fill(text.missingOn, onDay), lack), fill(text.completeOn, onDay)]
      : [line(text.missing, lack), text.complete],
    [line(text.deviating, keysOf(deviating)), tooOpen.length > 0 ? undefined : text.conforming],
    [line(text.toReview, keysOf(values.filter(({ needs_review }) => needs_review))), text.reviewed],
    [
      line(text.notAsked, keysOf(unasked), (key, field) => {
        const rule = rules.get(key);
        return rule ? `${field}: ${ruleIn(rule, language)}` : field;
      }),
      undefined,
    ],
  ];
  const passed = checks.flatMap(([{ items }, otherwise]) => (items.length === 0 && otherwise ? [otherwise] : []));
  const status = new Map(Object.entries(text.statuses)).get(row.registry_status) ?? row.registry_status;
  return {
    /** The lines of the first screen: what was found, then in one line what is in order. */
    lines: [
      ...checks.map(([found]) => found).filter(({ items }) => items.length > 0),
      ...plain(undefined, passed.join(separator)),
      ...plain(text.registry, [status, row.registry_id ?? []].flat().join(separator)),
      ...plain(text.common, common),
    ],
    /** What is missing, each with its legal basis. Empty if nothing is. */
    missing: missing.map((field) => [presenter.label(field.label), basisOf(field)]),
    /** What stands at a value: where it comes from and when it was written, unless that is the common origin, and its marks. */
    of(value: PassportValue) {
      const marks = [
        ...(tooOpen.includes(value) ? [text.isTooOpen] : []),
        ...(value.needs_review ? [text.review] : []),
        ...(deviating.includes(value) ? [text.deviates] : []),
      ];
      const differing = originOf(value)
        .split(separator)
        .filter((part) => !common?.split(separator).includes(part));
      const own = differing.length === 0 ? undefined : fill(text.origin, { origin: differing.join(separator) });
      return {
        origin: own === undefined && marks.length === 0 ? undefined : { text: own, marks },
        hasFinding: marks.length > 0,
        anchor: anchors.get(value.field_key),
      };
    },
  };
}

const keysOf = (values: PassportValue[]): string[] => values.map(({ field_key }) => field_key);

/** A line without fields, if there is something to say. */
function plain(label: string | undefined, text: string | undefined): Finding[] {
  return text ? [{ label, items: [], more: [], text }] : [];
}

const isAbout =
  (value: PassportValue) =>
  ({ field_key }: { field_key: string }): boolean =>
    field_key === value.field_key;
