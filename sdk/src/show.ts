import { blockingFindings } from '../../openapi/src/rules/blocking.ts';
import { statementOf, type TemplateField } from '../../openapi/src/rules/check.ts';
import {
  type CountedPassport,
  type DataPoint,
  type Readiness,
  readinessOn,
  requirementsOn,
} from '../../openapi/src/rules/completeness.ts';
import { Measures, typeset, withFormulae, withUnit, wordsFor } from '../../openapi/src/rules/words.ts';
import { type CheckOptions, type DayOption, dayFor, own, type Template } from './check.ts';
import type { PassportDocument, PassportValue } from './contract.ts';
import { ArgumentError } from './errors.ts';
import { described, sections } from './generated/presentation.ts';

/** The words of a language: the module `@product-passport/sdk/templates/de`, or one of your own. */
export interface Words {
  /** The locale of numbers, dates and countries. */
  readonly locale: string;
  /** Labels of fields. `textile.field_key` is the label in one group, `field_key` that in all others. */
  readonly fields: Texts;
  /** What a field means, where its label does not say it. */
  readonly meanings: Texts;
  /** The values of enumerations, by field. */
  readonly options: Readonly<Record<string, Texts>>;
  /** Members of lists and objects. */
  readonly members: Texts;
  /** Units written as words, by the plural category of the number. `#` stands for the number. */
  readonly units: Readonly<Record<string, Texts>>;
  /** Product groups. */
  readonly groups: Texts;
  /** Sections of a passport. */
  readonly sections: Texts;
  /** What stands in place of a value. */
  readonly values: Texts;
  /** Vocabularies for texts that many products share, such as fibres, by the text as it stands in a passport. */
  readonly words: Readonly<Record<string, Texts>>;
}

type Texts = Readonly<Record<string, string>>;

/** A part of a passport, with the fields that have a value. */
export interface ShownSection {
  /** `composition`, or `own` for fields that no template has. */
  readonly key: string;
  /** The title in the language of the words. */
  readonly title: string;
  /** In the order of the templates. */
  readonly fields: readonly ShownField[];
}

/** A value in words. */
export interface ShownField {
  /** The `field_key`. */
  readonly key: string;
  /** The label in the language of the words. */
  readonly label: string;
  /** What the field means, where its label does not say it. */
  readonly meaning: string | undefined;
  /** The value in words with its unit: one text, or one for each item of a list. */
  readonly texts: readonly string[];
  /** The value as JSON, without the wrapper that JSON-LD needs. `undefined` if it is unknown. */
  readonly value: unknown;
}

/** The description of a value, or of its items and members. */
interface About {
  readonly type?: string;
  readonly unit?: string | undefined;
  readonly words?: string;
  readonly code?: boolean;
  /** The language of the value. */
  readonly locale?: string | undefined;
  readonly items?: About;
  readonly members?: Readonly<Record<string, About>>;
}

/** The label of a field in a product group. A key that no template has is its own label. */
export function labelOf({ fields }: Pick<Words, 'fields'>, key: string, group?: string): string {
  return own(fields, `${group}.${key}`) ?? own(fields, key) ?? key;
}

/** A required field that a passport does not answer. */
export interface MissingField extends TemplateField {
  /** The label in the language of the words. Without words it is the key. */
  readonly label: string;
  /** The mandatory data points of an official list that the field leaves open, with number and legal reference. */
  readonly data_points: readonly DataPoint[];
}

/**
 * The required fields of a template that a passport does not answer today, or on the day `on`. A value that is unknown,
 * `null`, blank or `{}` is not an answer; an empty list is one. The service counts its `completeness` in the same way, on
 * the day of the latest version. The words may be left out: `missing(template, passport, { on })`.
 *
 * ```ts
 * import { cable, missing } from '@product-passport/sdk/templates';
 * import * as de from '@product-passport/sdk/templates/de';
 *
 * for (const { label } of missing(cable, { values: [] }, de)) console.log(label);
 * ```
 */
export function missing(
  template: Template,
  passport: { readonly values: readonly Pick<PassportValue, 'field_key' | 'value' | 'is_unknown'>[] },
  words?: Pick<Words, 'fields'> | DayOption,
  options: DayOption = {},
): MissingField[] {
  // The options may stand in the place of the words.
  if (words && !('fields' in words)) return missing(template, passport, undefined, words);
  const { missing: lacking, rules } = requirementsOn(template, passport.values, dayFor(options));
  return lacking.map((field) => ({
    ...field,
    label: words ? labelOf(words, field.key, template.key) : field.key,
    data_points: rules.get(field.key)?.points ?? [],
  }));
}

/**
 * How many passports of a group answer everything that its template requires today, or on the day `on`, and fit it; how many
 * are complete but have findings; how many miss each data point or field; and which ones miss the most. It reads the
 * passports once and keeps none of them, so an async iterable may have any number. It does not check the product group.
 *
 * These findings count: a level that is more open than the template's, a wrong type, unit, option, member or range, a
 * value that cannot be, and a misspelt key. A value without `access_level` has no finding about its level. `open` and `own` confirm fields.
 *
 * ```ts
 * import { battery, readiness } from '@product-passport/sdk/templates';
 *
 * const passports = [{ product: { slug: 'e-bike-battery' }, values: [] }];
 * const { ready, with_findings, products, requirements } = await readiness(battery, passports, { on: '2027-02-18' });
 * console.log(`${ready} of ${products} are ready, and ${with_findings} are complete but do not fit`);
 * for (const { point, missing } of requirements) console.log(point, missing);
 * ```
 */
export async function readiness(
  template: Template,
  passports: AsyncIterable<CountedPassport> | Iterable<CountedPassport>,
  options: CheckOptions = {},
): Promise<Readiness> {
  const allKeys = new Set(Object.values(sections).join(' ').split(' '));
  const day = dayFor(options);
  return readinessOn(template, passports, day, ({ values }) => {
    return blockingFindings(template, values, allKeys, day, options).length > 0;
  });
}

/**
 * A passport in words: sections with labels and values, as the reference server's pages have them. Lists have a text for
 * each item. The values are texts and may contain any character: escape them if you write HTML.
 * Throws an `ArgumentError` if the document is not a passport document.
 *
 * ```ts
 * import { createPublicClient } from '@product-passport/sdk/public';
 * import { show } from '@product-passport/sdk/templates';
 * import * as en from '@product-passport/sdk/templates/en';
 *
 * const site = createPublicClient({ siteUrl: 'https://passport.example.com' });
 * const { document } = await site.resolve('09520001200045');
 * for (const { title, fields } of document ? show(document, en) : []) {
 *   for (const { label, texts } of fields) console.log(`${title} – ${label}: ${texts.join(', ')}`);
 * }
 * ```
 */
export function show(document: PassportDocument, words: Words): ShownSection[] {
  const isDocument = Array.isArray((document as Partial<PassportDocument> | null)?.additionalProperty);
  if (!isDocument) throw new ArgumentError('document', 'must be a passport document');
  const wording = new Wording(words);
  const left = new Map(document.additionalProperty.map((property) => [property.propertyID, property]));
  const fieldsOf = (keys: readonly string[]) =>
    keys.flatMap((key) => {
      const property = left.get(key);
      left.delete(key);
      return property ? [wording.field(property, document.category)] : [];
    });
  const known = Object.entries(sections).map(([key, keys]) => [key, fieldsOf(keys.split(' '))] as const);
  const all = [...known.filter(([key]) => key !== 'own'), ['own', fieldsOf([...left.keys()])] as const];
  return all.flatMap(([key, fields]) =>
    fields.length > 0 ? [{ key, title: words.sections[key] ?? key, fields }] : [],
  );
}

/** Writes values in one language. */
class Wording {
  readonly #words: Words;
  readonly #vocabularies: Readonly<Record<string, ReadonlyMap<string, string>>>;
  readonly #measures: Measures;
  readonly #countries: Intl.DisplayNames;
  readonly #date: Intl.DateTimeFormat;
  readonly #month: Intl.DateTimeFormat;

  constructor(words: Words) {
    const { locale, units } = words;
    this.#words = words;
    this.#vocabularies = Object.fromEntries(
      Object.entries(words.words).map(([name, texts]) => [
        name,
        new Map(Object.entries(texts).map(([text, word]) => [text.toLowerCase(), word])),
      ]),
    );
    this.#measures = new Measures(locale, units);
    this.#countries = new Intl.DisplayNames(locale, { type: 'region', fallback: 'none' });
    this.#date = new Intl.DateTimeFormat(locale, { dateStyle: 'long', timeZone: 'UTC' });
    this.#month = new Intl.DateTimeFormat(locale, { year: 'numeric', month: 'long', timeZone: 'UTC' });
  }

  field(property: PassportDocument['additionalProperty'][number], group: string | undefined): ShownField {
    const { propertyID: key, unitText } = property;
    const value = property['dpp:isUnknown'] ? undefined : unwrapped(property.value);
    const label = labelOf(this.#words, key, group);
    const about: About = {
      ...own(described as Readonly<Record<string, About>>, key),
      unit: unitText,
      locale: property['dpp:locale'],
    };
    return {
      ...{ key, label: typeset(label), meaning: own(this.#words.meanings, key), value },
      texts: property['dpp:isUnknown']
        ? [this.#words.values.unknown ?? '']
        : this.#texts(value ?? null, about, key, label),
    };
  }

  /** One text, or one for each item of a list. */
  #texts(value: unknown, about: About, key: string, label: string): string[] {
    if (!Array.isArray(value)) return [this.#text(value, about, key, label)];
    if (value.length === 0) return [this.#words.values.none ?? ''];
    const { unit, members, locale } = about;
    const item = { ...about.items, unit, locale, ...(members && { members }) };
    return value.map((each) => this.#text(each, item, key, label));
  }

  #text(value: unknown, about: About, key: string, label: string): string {
    const { absent = '', yes = '', no = '' } = this.#words.values;
    if (value === null || value === '') return absent;
    if (typeof value === 'boolean') return value ? yes : no;
    if (Array.isArray(value)) return this.#texts(value, about, key, label).join(', ');
    if (typeof value === 'object') return this.#object(value as Record<string, unknown>, about, key);
    const option = own(this.#words.options, key);
    const named = option && own(option, String(value));
    if (named !== undefined) return typeset(named);
    if (typeof value !== 'number') return this.#string(String(value), about);
    return about.unit ? this.#measures.measure(value, about.unit, label) : this.#measures.number(value);
  }

  #string(value: string, about: About): string {
    const { type, words, code, unit } = about;
    if (type === 'country_code' && /^[A-Z]{2}$/.test(value)) return this.#countries.of(value) ?? value;
    const word = words && wordsFor(value, (text) => this.#vocabularies[words]?.get(text));
    if (word) return typeset(withFormulae(code ? `${value}: ${word}` : word));
    if (type === 'date' && /^\d{4}-(?:0[1-9]|1[0-2])$/.test(value)) return this.#month.format(new Date(value));
    const date = /^\d{4}-\d{2}-\d{2}$/.test(value) ? new Date(`${value}T00:00:00Z`) : undefined;
    if (date && !Number.isNaN(date.getTime()) && date.toISOString().startsWith(value)) return this.#date.format(date);
    const text = typeset(namesMaterials(about) ? withFormulae(value) : value);
    return unit && /\d/.test(text) ? withUnit(text, unit) : text;
  }

  /** A statement of a label. Its own sentence follows the official one for readers of another language. */
  #statement({ code, text }: { code: string; text: string }, about: About): string {
    const official = this.#string(code, about);
    if (text === '') return official;
    const isOwn = about.locale === this.#words.locale.slice(0, 2) || official === code;
    return isOwn ? `${code}: ${typeset(text)}` : `${official} ${typeset(text)}`;
  }

  /** `Fibre: Cotton, Share: 95 %`. A link with a title is its title. */
  #object(object: Record<string, unknown>, about: About, key: string): string {
    const { members = {}, items, unit } = about;
    const names = Object.keys(object);
    if (names.length === 0) return this.#words.values.absent ?? '';
    const statement = about.code ? statementOf(object) : undefined;
    if (statement) return this.#statement(statement, about);
    const parts = names.map((name) => {
      const label = own(this.#words.members, name) ?? name;
      const about = own(members, name) ?? { ...items, unit };
      return `${label}: ${this.#text(object[name], about, `${key}.${name}`, label)}`;
    });
    return parts.join(', ');
  }
}

/** Whether a text names materials or substances, not sentences. */
function namesMaterials({ words, type }: About): boolean {
  return words !== undefined && type !== 'text';
}

/** The value of a JSON literal of JSON-LD, or the value itself. */
function unwrapped(value: unknown): unknown {
  const isLiteral = typeof value === 'object' && value !== null && '@value' in value;
  return isLiteral ? value['@value'] : value;
}
