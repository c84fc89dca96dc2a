/** What the first screen says of the product, for each reader. `sections.ts` has their questions. */
import { notAskedFor, type PassportValue, requirementsOn, type ViewRole } from '@product-passport/openapi';
import type { Language } from '../languages/languages.ts';
import { texts } from '../languages/words.ts';
import type { Template, TemplateField } from '../templates/catalogue.ts';
import { foreign } from './entries.ts';
import { counted } from './inspection.ts';
import { type Picture, pictureOf } from './pictures.ts';
import { safetyFields } from './sections.ts';
import { presenterOf, type ShownValue, valueBudget } from './values.ts';

/** What the reader of a product group wants to know first. */
export interface KeyFact {
  label: string;
  /** One value for each field that answers it. */
  parts: { value: ShownValue; language: string | undefined }[];
  picture: Picture | undefined;
  /** The text needs the width of two other facts. */
  isWide: boolean;
  /** The audience of a value that is not public. */
  level: string | undefined;
  /** The section with the whole value, if the fact has only its beginning. */
  whole: string | undefined;
}

/** The dangers of a product: all of them, whatever their number. */
export interface Hazards {
  /** The signal word, and how many pictograms and statements there are. */
  summary: string;
  /** Pictograms and statements. */
  parts: { value: ShownValue; language: string | undefined; picture: Picture | undefined }[];
}

type Answer = KeyFact['parts'][number] & Pick<KeyFact, 'picture' | 'level' | 'whole'>;

/** The first screen of a telephone has no room for more. */
const maxFacts: Readonly<Record<ViewRole, number>> = { consumer: 4, recycler: 5, inspector: 0 };
/** Facts next to the hazards. */
const besideHazards = 2;

/** What a fact shows of a value. The section below shows all of it. Nothing about safety is shortened. */
const factBudget = { characters: 90, rows: 6 };

/** Texts of more characters need the width of two facts, and so do longer words, which would be broken. */
const narrow = 26;
const maxWordLength = 10;

const hazardFields = ['hazard_pictograms', 'hazard_statements'];

/** What a recycler wants to know of any product, in this order: how to take it apart safely, and what is in it. */
const recyclerFields = [
  ...['dismantling_information', 'disassembly_instructions', 'safety_measures', 'hazardous_substances'],
  ...['extinguishing_agent', 'substances_of_concern', 'ingredients', 'biocides', 'refrigerant'],
  ...['battery_chemistry', 'material_composition', 'fibre_composition', 'conductor_material', 'sheath_material'],
  ...['core_type', 'cover_material', 'upper_material', 'magnet_type', 'primary_materials', 'precious_metal_fineness'],
  ...['recycling_instructions', 'sorting_instruction', 'waste_battery_information', 'critical_raw_materials'],
];

/** The dangers, if the product has any. */
export function hazardsOf(values: PassportValue[], { fields }: Template, language: Language): Hazards | undefined {
  const text = texts[language].hazards;
  const found = hazardFields.flatMap((key) => {
    const value = values.find(({ field_key }) => field_key === key);
    const field = fields.find((known) => known.key === key);
    const [answer] = value && field ? answersOf(value, field, field.key, language) : [];
    return answer && answer.value.kind === 'list' ? [{ key, ...answer, count: answer.value.items.length }] : [];
  });
  if (found.length === 0) return undefined;
  const signal = values.find(({ field_key }) => field_key === 'signal_word');
  const field = fields.find(({ key }) => key === 'signal_word');
  const [word] = signal && field ? answersOf(signal, field, field.key, language) : [];
  const counts = found.map(({ key, count }) =>
    counted(key === 'hazard_pictograms' ? text.pictograms : text.statements, count, language),
  );
  const title = word && 'text' in word.value ? word.value.text : text.title;
  return { summary: [title, ...counts].join(' · '), parts: found };
}

/**
 * The first key facts for the reader that have a value. What the template does not ask for is none.
 *
 * @param day that of the version
 */
export function keyFactsOf(
  values: PassportValue[],
  template: Template,
  { role, language, day }: { role: ViewRole; language: Language; day: string },
): KeyFact[] {
  const presenter = presenterOf(language);
  const { rules, category } = requirementsOn(template, values, day);
  const isAsked = (key: string) => notAskedFor(rules.get(key), category) === undefined;
  const byKey = new Map(values.flatMap((value) => (isAsked(value.field_key) ? [[value.field_key, value]] : [])));
  const hazards = hazardsOf(values, template, language);
  const answered = factsFor(template, role)
    .filter(({ fields }) => !hazards || !fields.some((key) => hazardFields.includes(key)))
    .map((fact) => {
      const label = presenter.label(fact.label);
      const answers = fact.fields.flatMap((key) => {
        const value = byKey.get(key);
        const field = template.fields.find((known) => known.key === key);
        return value && field ? answersOf(value, field, label, language) : [];
      });
      return { label, answers };
    });
  const most = hazards ? Math.min(besideHazards, maxFacts[role]) : maxFacts[role];
  const shown = answered.filter(({ answers }) => answers.length > 0).slice(0, most);
  const made = shown.map(({ label, answers }) => {
    const picture = answers.find((answer) => answer.picture)?.picture;
    const parts = answers.map(({ value, language }) => ({ value, language }));
    const [level, whole] = (['level', 'whole'] as const).map((name) => answers.find((answer) => answer[name])?.[name]);
    const isWide = role === 'recycler' || picture?.kind === 'bar' || lengthOf(parts) > narrow || hasLongWord(parts);
    return { label, parts, picture, isWide, level, whole };
  });
  const narrowOnes = made.filter(({ isWide }) => !isWide);
  const alone = narrowOnes.length % 2 === 1 ? narrowOnes.at(-1) : undefined;
  return made.map((fact) => (fact === alone ? { ...fact, isWide: true } : fact));
}

/** The facts that answer the reader's question, most important first. */
function factsFor({ facts, fields }: Template, role: ViewRole): Pick<Template['facts'][number], 'label' | 'fields'>[] {
  if (role !== 'recycler') return facts;
  return recyclerFields.flatMap((key) => {
    const field = fields.find((known) => known.key === key);
    return field ? [{ label: field.label, fields: [key] }] : [];
  });
}

/** What a value answers: nothing if it is unknown or empty. */
function answersOf(value: PassportValue, field: TemplateField, label: string, language: Language): Answer[] {
  const isSafety = safetyFields.includes(field.key);
  const budget = isSafety ? { ...valueBudget } : { ...factBudget };
  const { value: shown, isShortened } = presenterOf(language).entry(value, field, budget, label);
  if (value.is_unknown || shown.kind === 'absent') return [];
  return [
    {
      value: withHost(shown),
      language: foreign(value, language),
      picture: pictureOf(value, field, shown),
      level: value.access_level === 'public' ? undefined : texts[language].levels[value.access_level],
      whole: isShortened ? field.section : undefined,
    },
  ];
}

/** The first screen has room for the host of an address only. */
function withHost(value: ShownValue): ShownValue {
  if (value.kind !== 'link' || !/^https?:/i.test(value.text)) return value;
  return { ...value, text: `${new URL(value.href).host} ↗` };
}

function lengthOf(parts: KeyFact['parts']): number {
  const lengths = parts.map(({ value }) => ('text' in value ? value.text.length : narrow + 1));
  return lengths.reduce((sum, length) => sum + length, 0);
}

/** Whether a text or a link of the passport has a word too long for half the width of a telephone. Other texts have soft hyphens. */
function hasLongWord(parts: KeyFact['parts']): boolean {
  return parts.some(
    ({ value }) =>
      (value.kind === 'text' || value.kind === 'link') &&
      value.text.split(/[\s/-]/).some((word) => word.length > maxWordLength),
  );
}
