/** Values that cannot be, or hardly ever are, by the rules of a template. Pure: the server and the SDK share it. */

import { type CheckedValue, type Misfit, measureOf, quoted, type TemplateField } from './check.ts';

/** What values of fields can be, alone or compared with each other. */
export interface TemplateRule {
  readonly kind: RuleKind;
  /** Keys of fields, or `field.member` for the objects of a list. `*`: every text field. */
  readonly fields: readonly string[];
  /** Of `above`, `below` and `times`. */
  readonly limit?: number;
  /** Of `total`: shares are added up for each value of this member. */
  readonly by?: string;
  /** A value that breaks the rule keeps a passport from being published. Absent: it is a note, because it could be right. */
  readonly blocks?: true;
}

/**
 * `ascending`: no number is above the next one. `above`, `below`: of the limit, which is excluded. `times`: the first number
 * is at most the limit times the second. `past`: a date that is not in the future. `contact`: an e-mail or a web address.
 * `total`: the shares of a list are together at most 100. `fraction`: a percentage above 1. `placeholder`: no text that only
 * stands for one.
 */
type RuleKind =
  | ('ascending' | 'above' | 'below' | 'times' | 'past' | 'email' | 'contact' | 'cas')
  | ('total' | 'fraction' | 'true' | 'placeholder');

/** A value of a passport, or of a write. */
export type RuledValue = CheckedValue & { readonly field_key: string };

/** Texts that stand in place of a value. A right value of another language or field must not be among them: `NA`, `Todo`. */
export const placeholders = {
  en: 'tbd, t.b.d., tba, tbc, to be determined, to be defined, to be confirmed, to be added, n/a, n.a., not applicable, not available, unknown, placeholder, lorem ipsum',
  de: 'k.A., keine Angabe, keine Angaben, unbekannt, entfällt, nicht zutreffend, nicht verfügbar, noch offen, wird nachgereicht, folgt noch, Platzhalter',
  fr: 'à définir, à déterminer, à compléter, à venir, s.o., sans objet, non applicable, non disponible, non renseigné, inconnu, inconnue',
  es: 'por definir, por determinar, por completar, pendiente de definir, no aplica, no procede, no disponible, desconocido, desconocida',
  it: 'da definire, da determinare, da completare, da compilare, n.d., non applicabile, non disponibile, non pertinente, sconosciuto, sconosciuta',
  nl: 'n.t.b., nog te bepalen, nog in te vullen, nog onbekend, n.v.t., niet van toepassing, niet beschikbaar, onbekend',
  pl: 'do ustalenia, do uzupełnienia, do określenia, nie dotyczy, b.d., brak danych, nieznane, nieznany, niedostępne',
} as const;

/** Case and spaces make no difference. */
const plain = (text: string): string => text.normalize('NFKC').toLowerCase().replace(/\s/g, '');

/** Made with the first text: bundlers leave out what is made on import only if nothing needs it. */
let standIns: ReadonlySet<string> | undefined;

/** Also a text of signs alone: `-`, `???`. */
function isPlaceholder(text: string): boolean {
  standIns ??= new Set(Object.values(placeholders).flatMap((texts) => texts.split(', ').map(plain)));
  return /^[-–—_.…?*/\s]+$/.test(text) || standIns.has(plain(text));
}

/** A value that a rule is about, and its place in the element of a `PUT`. */
interface Place {
  readonly key: string;
  readonly at: string;
  readonly value: unknown;
  /** The object that it is a member of. */
  readonly object?: Readonly<Record<string, unknown>>;
}

/** What is wrong at a place. */
type Broken = [place: Pick<Place, 'key' | 'at'>, why: string];

interface Judging {
  /** The values of the fields of the rule, in its order. */
  readonly places: readonly Place[];
  readonly limit: number;
  readonly by: string;
  readonly day: string;
}

const isNumber = (value: unknown): value is number => typeof value === 'number';
const isFalse = (value: unknown): value is false => value === false;
const isText = (value: unknown): value is string => typeof value === 'string' && value.trim() !== '';

/** Finds each place with a value of a type that does not pass. */
function each<Value>(
  { places }: Judging,
  is: (value: unknown) => value is Value,
  fails: (value: Value) => boolean,
  must: string,
): Broken[] {
  return places.flatMap((place): Broken[] => {
    const { value } = place;
    return is(value) && fails(value) ? [[place, `${must} (got ${quoted(value)})`]] : [];
  });
}

/** Each number is at most the next one, times a factor. */
function compare({ places }: Judging, factor = 1): Broken[] {
  const numbers = places.filter((place): place is Place & { value: number } => isNumber(place.value));
  return numbers.flatMap((one, index): Broken[] => {
    const other = numbers[index + 1];
    if (!other || one.value <= factor * other.value) return [];
    const times = factor === 1 ? '' : `${factor} times `;
    return [
      [one, `must be at most ${times}${other.key}, ${other.value} (got ${one.value})`],
      [other, `is too low for ${one.key}, ${one.value} (got ${other.value})`],
    ];
  });
}

/** The shares of a list, or of the objects with the same member, are together at most 100. */
function total({ places, by }: Judging): Broken[] {
  const groups = new Map<string, number[]>();
  for (const { value, object } of places) {
    const name = `${object?.[by] ?? ''}`;
    const share = measureOf({ type: 'number' }, value);
    if (isNumber(share)) groups.set(name, [...(groups.get(name) ?? []), share]);
  }
  return [...groups.values()].flatMap((shares): Broken[] => {
    const sum = shares.reduce((all, share) => all + share, 0);
    // Each share may be rounded up. A single one has the range of its member.
    if (shares.length < 2 || sum <= 100 + shares.length / 2) return [];
    const why = `must have shares of at most 100 together (got ${+sum.toFixed(6)})`;
    return [[{ key: places[0]?.key ?? '', at: 'value' }, why]];
  });
}

/** It is tomorrow already in the east. */
function isLater(date: string, day: string): boolean {
  const last = new Date(Date.parse(day) + 86_400_000).toISOString();
  return /^\d{4}-\d\d/.test(date) && date > last.slice(0, date.length);
}

const judges: Readonly<Record<RuleKind, (judging: Judging) => Broken[]>> = {
  ascending: (judging) => compare(judging),
  times: (judging) => compare(judging, judging.limit),
  total,
  above: (of) => each(of, isNumber, (value) => value <= of.limit, `must be above ${of.limit}`),
  below: (of) => each(of, isNumber, (value) => value >= of.limit, `must be below ${of.limit}`),
  fraction: (of) => each(of, isNumber, (value) => value > 0 && value <= 1, 'must be a percentage, not a fraction'),
  past: (of) => each(of, isText, (value) => isLater(value, of.day), `must not be after ${of.day}`),
  email: (of) => each(of, isText, (value) => !/.@[^\s@]+\.[^\s@]/.test(value), 'must be an e-mail address'),
  contact: (of) => each(of, isText, (value) => !/[^\s.]\.[^\s.]/.test(value), 'must be an e-mail or a web address'),
  cas: (of) => each(of, isText, (value) => !isCas(value), 'must be a CAS number with its check digit'),
  true: (of) => each(of, isFalse, () => true, 'must be true'),
  placeholder: (of) => each(of, isText, isPlaceholder, 'must be a value, or marked as unknown'),
};

/** What breaks a rule in a field, but for places where something else does not fit. */
export function brokenAt<Found extends Pick<Misfit, 'at'> & { readonly field_key: string }>(
  broken: readonly Found[],
  key: string,
  misfits: readonly Pick<Misfit, 'at'>[],
): Found[] {
  return broken.filter((each) => each.field_key === key && !misfits.some(({ at }) => at === each.at));
}

/**
 * What does not fit the rules of a template, in the order of the rules. A comparison is a finding of both fields. A value
 * with another type or unit than its field is not compared.
 *
 * @param day in UTC. A date may be one day later.
 */
export function impossibleIn(
  { fields, rules = [] }: { readonly fields: readonly TemplateField[]; readonly rules?: readonly TemplateRule[] },
  values: readonly RuledValue[],
  day: string,
): (Misfit & { readonly field_key: string })[] {
  const known = new Map(values.filter(({ is_unknown }) => !is_unknown).map((value) => [value.field_key, value]));
  const texts = fields.filter(({ type }) => textTypes.has(type)).map(({ key }) => key);

  function placesOf(name: string): Place[] {
    const [key = '', member] = name.split('.');
    const { value, unit = null } = known.get(key) ?? {};
    if (member === undefined) {
      const isOther = isNumber(value) && unit !== fields.find((field) => field.key === key)?.unit;
      return isOther ? [] : [{ key, at: 'value', value }];
    }
    return (Array.isArray(value) ? value : []).flatMap((item: unknown, index) => {
      const object = Object(item) as Record<string, unknown>;
      return Object.hasOwn(object, member)
        ? [{ key, at: `value[${index}].${member}`, value: object[member], object }]
        : [];
    });
  }
  return rules.flatMap(({ kind, fields: names, limit = 0, by = '', blocks }) => {
    const places = (names[0] === '*' ? texts : names).flatMap(placesOf);
    return judges[kind]({ places, limit, by, day }).map(([{ key, at }, why]) => {
      const finding = { field_key: key, at, why: blocks ? why : why.replace('must', 'should') };
      return { ...finding, code: blocks ? ('impossible' as const) : ('unlikely' as const) };
    });
  });
}

/** A text of these types may be anything. */
const textTypes: ReadonlySet<string> = new Set(['string', 'text', 'contact', 'phone']);

/** A text with a CAS number, or with several. The last digit of each is the sum of the others by their place, modulo 10. */
function isCas(text: string): boolean {
  const found = text.match(/\b\d{2,7}-\d\d-\d\b/g) ?? [];
  return (
    found.length > 0 &&
    found.every((number) => {
      const [check = 0, ...digits] = number.replaceAll('-', '').split('').reverse().map(Number);
      return digits.reduce((sum, digit, index) => sum + digit * (index + 1), 0) % 10 === check;
    })
  );
}
