import { readFileSync } from 'node:fs';
import {
  allFindings,
  type BlockingFinding,
  type TemplateField as CheckedField,
  type Confirmed,
  type DataPoint,
  type DataPointList,
  type DocumentProperties,
  type FieldRule,
  isNote,
  type PassportValue,
  rangeOf,
  ruleOf,
  rulesByCategory,
  type TemplatePart,
  type TemplateRule,
} from '@product-passport/openapi';
import { type Label, labelAt, type Words, wordsOf } from '../languages/languages.ts';

/** What is known about a value, or about an item or a member of a value. */
export interface Described extends TemplatePart {
  /** The vocabulary that translates common texts. */
  words?: string;
}

interface TemplateMember extends Described {
  key: string;
  label: Label;
}

/** A value of an enumeration. The API and JSON-LD have the code, pages have the label. */
interface TemplateOption {
  code: string;
  label: Label;
}

/** What a field describes, and why. */
interface Belonging {
  to: 'model' | 'item';
  why: string;
}

export interface TemplateField extends Omit<CheckedField, 'options' | 'items' | 'members'>, Pick<Described, 'words'> {
  label: Label;
  /** What it means, where the label does not say it. */
  meaning?: Label;
  /** Whether all items of a model have the same value. Our own reading. */
  belongs: Belonging;
  /** A hint of provenance. It is not legal advice. */
  source: string;
  /** The version of the template that added the field. */
  since: number;
  /** The last version that has the field. */
  until?: number;
  /** The values of an enumeration. */
  options?: TemplateOption[];
  /** Codes for sentences, of which a text may be one, or some with `+` between them. Pages have their words. */
  codes?: TemplateOption[];
  /** The options are classes from best to worst, such as A to G. */
  scale?: boolean;
  /** Each item of a list that is not an object, or each member of an object with any names. */
  items?: Described;
  /** The members of the objects in a list, or of an object. */
  members?: TemplateMember[];
}

/** What a reader of a product group wants to know first. */
interface Fact {
  key: string;
  /** A short label. */
  label: Label;
  /** The fields whose values answer it together. */
  fields: string[];
  /**
   * How it is drawn: `bar` (a composition by share), `meter` (a percentage), `scale` (a class), `pictograms`, or `value`
   * (as the section shows it).
   */
  show: 'value' | 'bar' | 'meter' | 'scale' | 'pictograms';
  /** The short label keeps every condition of the field's own, so the section need not repeat the value. Default false. */
  replaces_row?: boolean;
}

/** The fields that the passport of a product group should have. */
export interface Template {
  key: string;
  version: number;
  title: Label;
  instrument: string;
  /** Whether views of its pages may be counted. The law of some groups forbids it. */
  scans: boolean;
  /** Key facts, most important first. A page shows the first four that have a value. */
  facts: Fact[];
  /** The fields that recyclers see first, most important first. Absent: those that they want to know of any product. */
  recycler_facts?: string[];
  /**
   * The properties of schema.org that values also have in the JSON-LD document. Each names its fields: `field`, or
   * `field.member` if the items of a list are objects.
   */
  properties: DocumentProperties;
  fields: TemplateField[];
  /** What the values of these fields can be. */
  rules: CataloguedRule[];
  /** The fields that are measured again and again, and the one with the day of it. Passports keep their earlier values. */
  measured?: { date: string; fields: string[] };
  /** The official list whose rules decide which fields count. */
  data_points?: DataPointList;
}

/** A rule, and why it is a finding that blocks or a note. */
interface CataloguedRule extends TemplateRule {
  why: string;
}

/** The versions of a template that have something: all, from `since` on, or up to and including `until`. */
interface Versions {
  since?: number;
  until?: number;
}

/** A template as the file has it. The words are in the files of the languages. */
export interface StoredTemplate
  extends Omit<Template, 'title' | 'facts' | 'fields' | 'rules' | 'scans' | 'data_points'> {
  /** Default true. */
  scans?: boolean;
  /** The oldest version. Fields without `since` are in it. */
  first_version: number;
  /** Of fields that do not follow the rule of `belonging`, or whose reason is another. */
  belongs?: (Belonging & { fields: string[] })[];
  /** Files of this folder. A new edition of a list is a new file. */
  data_points?: (Versions & { file: string })[];
  facts: (Pick<Fact, 'key' | 'fields' | 'replaces_row'> & Partial<Pick<Fact, 'show'>>)[];
  fields: StoredField[];
}

/** A field with `points` has `required` and `source` from its data points. A field that changes is listed once for each form. */
type StoredField = Omit<
  TemplateField,
  'label' | 'meaning' | 'belongs' | 'since' | 'options' | 'codes' | 'members' | 'required' | 'source'
> &
  Partial<Pick<TemplateField, 'required' | 'source'>> &
  Versions & {
    options?: string[];
    members?: (Described & { key: string })[];
  };

const read = <Data>(file: string): Data =>
  JSON.parse(readFileSync(new URL(`../../data/${file}`, import.meta.url), 'utf8'));
const stored = read<StoredTemplate[]>('templates.json');
/** A template has the rules of its fields. */
const rules = read<CataloguedRule[]>('rules.json');
/** All versions of each template, oldest first. Each is made when it is first used: all of them take 15 ms. */
const versions = new Map<string, Template[]>();

/** The keys of all templates, in the catalogue's order. */
export const templateKeys = stored.map(({ key }) => key);

/** The newest template of a product group. Without a group, `other` applies. */
export function templateOf(productGroup: string | null): Template {
  const template = versionsOf(productGroup ?? 'other').at(-1);
  if (!template) throw new Error(`There is no template ${productGroup}.`);
  return template;
}

/** The version of a template that a passport follows. A version that the catalogue does not have gets the nearest one. */
export function templateAt(productGroup: string | null, version: number): Template {
  const newest = templateOf(productGroup);
  return versionsOf(newest.key).find((template) => template.version >= version) ?? newest;
}

function versionsOf(key: string): Template[] {
  const known = versions.get(key);
  if (known) return known;
  const template = stored.find((each) => each.key === key);
  const made = template ? templateVersions(template) : [];
  if (template) versions.set(key, made);
  return made;
}

/** All versions of a template, oldest first. */
export function templateVersions(
  { first_version, version: newest, ...template }: StoredTemplate,
  listOf: (file: string) => DataPointList = read,
): Template[] {
  const { key, instrument, scans = true, properties } = template;
  const title = labelAt('groups', key);
  const facts = template.facts.map(({ show = 'value', ...fact }) => ({
    ...fact,
    label: labelAt('facts', fact.key),
    show,
  }));
  return Array.from({ length: newest - first_version + 1 }, (_, index) => {
    const version = first_version + index;
    const isIn = ({ since = first_version, until = newest }: Versions) => since <= version && version <= until;
    const file = template.data_points?.find(isIn)?.file;
    const list = file === undefined ? undefined : listOf(file);
    const fields = template.fields.filter(isIn).map((field) => {
      return { ...fieldOf(key, field, first_version, list), belongs: belonging(template, field.key) };
    });
    const { measured, recycler_facts } = template;
    const made = {
      key,
      version,
      title,
      instrument,
      scans,
      facts,
      properties,
      fields,
      rules: rulesOf(fields),
      ...(measured && { measured }),
      ...(recycler_facts && { recycler_facts }),
    };
    return list ? { ...made, data_points: list } : made;
  });
}

/** What a field describes. Without a word in the template, all but the serial number is of the model, also a field of one's own. */
function belonging({ belongs = [] }: Pick<StoredTemplate, 'belongs'>, key: string): Belonging {
  const named = belongs.find(({ fields }) => fields.includes(key));
  if (named) return { to: named.to, why: named.why };
  return key === 'serial_number'
    ? { to: 'item', why: 'It tells an item from the others.' }
    : { to: 'model', why: 'Nothing says that it differs from item to item.' };
}

/** Whether a field of a passport describes the model or one item of it. */
export function belongsTo({ fields }: Template, key: string): Belonging['to'] {
  return (fields.find((field) => field.key === key)?.belongs ?? belonging({}, key)).to;
}

/** A comparison needs all of its fields, another rule one. */
function rulesOf(fields: readonly TemplateField[]): CataloguedRule[] {
  const names = fields.flatMap(({ key, members = [] }) => [key, ...members.map((member) => `${key}.${member.key}`)]);
  const has = (name: string) => name === '*' || names.includes(name);
  return rules.flatMap((rule) => {
    const own = rule.fields.filter(has);
    const least = rule.kind === 'ascending' || rule.kind === 'times' ? rule.fields.length : 1;
    return own.length < least ? [] : [{ ...rule, fields: own }];
  });
}

function fieldOf(
  group: string,
  { options, members, ...field }: StoredField,
  firstVersion: number,
  list: DataPointList | undefined,
): Omit<TemplateField, 'belongs'> {
  const { key, required = false, source = '', points } = field;
  const words = wordsOf('en');
  const special = `${group}.${key}`;
  const own = list?.points.filter(({ number }) => points?.includes(number)) ?? [];
  return {
    ...field,
    label: labelAt('fields', Object.hasOwn(words.fields, special) ? special : key),
    ...meaningOf(words.meanings, [special, key]),
    since: field.since ?? firstVersion,
    required: points ? own.some((point) => ruleOf(point, undefined, '') === 'mandatory') : required,
    source: points ? sourcesOf(own) : source,
    ...(options ? { options: options.map((code) => ({ code, label: optionLabel(field, code) })) } : {}),
    ...codesOf(field),
    ...(members ? { members: members.map((member) => ({ ...member, label: labelAt('members', member.key) })) } : {}),
  };
}

/** Where the rules of a list come from. */
export type ListSource = Pick<DataPointList, 'title' | 'author' | 'version' | 'date' | 'url' | 'note'>;

export function aboutOf({ title, author, version, date, url, note }: DataPointList): ListSource {
  return { title, author, version, date, url, note };
}

/** The source of the rules, as a sentence. */
export function citationOf({ title, author, version, date, url, note }: ListSource): string {
  return `What is required follows "${title}", version ${version} of ${date}, ${author}, ${url}. ${note}`;
}

/** Whether a field is required: `yes`, or by category, as in `mandatory for ev, lmt; conditional for industrial`. */
export function requirementOf(field: TemplateField, { data_points: list }: Template): string {
  if (!list) return field.required ? 'yes' : 'no';
  const byRule = Map.groupBy(rulesByCategory(field, list), ([, rule]) => inWords(rule));
  const parts = [...byRule].map(([words, rules]) =>
    byRule.size === 1 ? words : `${words} for ${rules.map(([category]) => category).join(', ')}`,
  );
  return parts.join('; ');
}

/** When a field that is conditional for a category applies. Empty if none is. */
export function conditionOf(field: TemplateField, { data_points: list }: Template): string {
  const rules = list ? rulesByCategory(field, list).map(([, rule]) => rule) : [];
  const points = rules.filter(({ rule }) => rule === 'conditional').flatMap((rule) => rule.points);
  return [...new Set(points.flatMap(({ when }) => when ?? []))].join(', or ');
}

function inWords({ rule, points: [point] }: FieldRule): string {
  if (rule !== 'later') return rule;
  return point?.from === undefined ? `later: it ${point?.why}` : `mandatory from ${point.from}`;
}

/** What the official list says of an option, such as `needs no passport`. */
export function remarkOn(field: Pick<TemplateField, 'key'>, code: string, { data_points: list }: Template): string {
  return list?.category === field.key && list.exempt.includes(code) ? 'needs no passport' : '';
}

/** What the text of a field must say, as the law of its data points lists it. */
export function partsOf({ points = [] }: TemplateField, { data_points: list }: Template): readonly string[] {
  return list?.points.find(({ number, parts }) => parts && points.includes(number))?.parts ?? [];
}

/** A rule in words: what is asked of its fields. */
export function ruleWords({ kind, fields, limit, by }: TemplateRule): string {
  const keys = fields.join(', ');
  if (kind === 'placeholder') return 'no text field is only a stand-in for a value';
  if (kind === 'ascending') return fields.join(' ≤ ');
  if (kind === 'times') return `${fields.join(` ≤ ${limit} × `)}`;
  if (kind === 'total') return `${keys}: together at most 100${by ? ` for each ${by}` : ''}`;
  const words = {
    above: `above ${limit}`,
    below: `below ${limit}`,
    past: 'not in the future',
    email: 'an e-mail address',
    contact: 'an e-mail or a web address',
    cas: 'a CAS number with its check digit',
    fraction: 'a percentage, not a fraction such as 0.9',
    true: 'true',
  };
  return `${keys}: ${words[kind]}`;
}

/** The beginning of a legal reference that names its act: `Battery Reg. (EU) 2023/1542 `. */
export function actOf(source: string): string {
  return /^.*\d{4}\/\d+ /.exec(source)?.[0] ?? '';
}

/** Legal references, with the name of their act once: `Battery Reg. (EU) 2023/1542 Annex XIII 1(j); Annex XIII 4(a)`. */
export function sourcesOf(points: readonly Pick<DataPoint, 'source'>[]): string {
  const [first = '', ...others] = points.map(({ source }) => source);
  const act = actOf(first);
  return [first, ...others.map((source) => (source.startsWith(act) ? source.slice(act.length) : source))].join('; ');
}

/** The meaning in the group, or else the one of the key. */
function meaningOf(meanings: Words['meanings'], keys: string[]): { meaning?: Label } {
  const known = keys.find((key) => Object.hasOwn(meanings, key));
  return known === undefined ? {} : { meaning: labelAt('meanings', known) };
}

function codesOf({ type, words, items }: StoredField): Pick<TemplateField, 'codes'> {
  const sentences = type === 'text' ? words : items?.words === 'warnings' ? items.words : undefined;
  if (sentences === undefined) return {};
  const codes = Object.keys(wordsOf('en').words[sentences] ?? {});
  return { codes: codes.map((code) => ({ code, label: labelAt('words', sentences, code) })) };
}

/** The classes of a scale are the same in every language. */
function optionLabel({ key, scale }: StoredField, code: string): Label {
  return scale ? { en: code } : labelAt('options', key, code);
}

/** The keys of the fields of all templates. */
const fieldKeys = new Set(stored.flatMap(({ fields }) => fields.map(({ key }) => key)));

/** The keys of the fields of which each active product of a tenant has its own value. */
export const uniqueFields = [
  ...new Set(stored.flatMap(({ fields }) => fields.filter(({ unique }) => unique).map(({ key }) => key))),
];

/**
 * What keeps a passport from being published: see `blockingFindings`.
 *
 * @param values all values of the passport
 * @param day today in UTC
 * @param judged the fields to return findings of. Default: all.
 */
export function blockingIn(
  template: Template,
  values: readonly PassportValue[],
  day: string,
  confirmed: Confirmed = {},
  judged?: ReadonlySet<string>,
): BlockingFinding[] {
  return findingsIn(template, values, day, confirmed, judged).filter((finding) => !isNote(finding));
}

/** The same with the notes, which keep no passport from being published: see `isNote`. */
export function findingsIn(
  template: Template,
  values: readonly PassportValue[],
  day: string,
  confirmed: Confirmed = {},
  judged?: ReadonlySet<string>,
): BlockingFinding[] {
  const checked = checkedFields.get(template) ?? template.fields.map(checkedField);
  checkedFields.set(template, checked);
  const { key, rules } = template;
  return allFindings({ key, fields: checked, rules }, values, fieldKeys, day, confirmed, judged);
}

/** Made once for each template: every write needs them. */
const checkedFields = new WeakMap<Template, CheckedField[]>();

/** The options of the contract's rules have no labels. */
function checkedField({ options, ...field }: TemplateField): CheckedField {
  return { ...field, ...(options && { options: options.map(({ code }) => code) }) };
}

/** Types of fields, as pages and commands name them. */
const typeNames: Readonly<Record<string, string>> = {
  string: 'text',
  text: 'text of several sentences',
  integer: 'whole number',
  boolean: 'true or false',
  date: 'date or month, such as 2026-12-31 or 2026-12',
  url: 'web address',
  country_code: 'country code such as DE',
  contact: 'e-mail or web address',
  phone: 'phone number',
  enum: 'one of the options',
};

type Shape = Described & Pick<TemplateField, 'items'> & { members?: readonly (Described & { key: string })[] };

/** What a value is, and what its parts are: `number, kg`, `list of { fibre: text, share: number, % }`. */
export function kindOf({ type, unit, items, members }: Shape): string {
  const named = members?.map((member) => `${member.key}: ${kindOf(member)}`).join(', ');
  const parts = [...(items ? [kindOf(items)] : []), ...(named ? [`{ ${named} }`] : [])].join(' or ');
  const whole = parts ? `${type} of ${parts}` : (typeNames[type] ?? type);
  return unit ? `${whole}, ${unit}` : whole;
}

/** The ranges of a value and its parts: `0 to 100`, `share 0 to 100`. */
export function rangesOf({ items, members = [], ...field }: Shape): string[] {
  const parts = [{ ...field, key: '' }, ...(items ? [{ ...items, key: 'each ' }] : [])];
  const named = members.map((member) => ({ ...member, key: `${member.key} ` }));
  return [...parts, ...named].flatMap(({ key, ...part }) => rangeOf(part)?.replace(/^/, key) ?? []);
}
