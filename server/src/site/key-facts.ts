/** What the first screen says of the product, for each reader. `sections.ts` has their questions. */
import { notAskedFor, type PassportValue, requirementsOn, type ViewRole } from '@product-passport/openapi';
import { type Language, labelAt, type Texts, texts, wordFor } from '../languages/languages.ts';
import type { Template, TemplateField } from '../templates/catalogue.ts';
import { energyOf } from './energy.ts';
import { isTrue, labelFields, type Picture, pictureOf, type SymbolCode } from './pictures.ts';
import { foreign, handlingFields, safetyFields, sectionOf } from './sections.ts';
import { eprelField, presenterOf, type ShownValue, valueBudget } from './values.ts';

/** What the reader of a product group wants to know first. */
export interface KeyFact {
  label: string;
  /** One value for each field that answers it. The picture says what is drawn. */
  parts: { value: ShownValue; language: string | undefined; isDrawn?: boolean }[];
  picture: Picture | undefined;
  /** The passport's own words, below. */
  note?: KeyFact['parts'][number] | undefined;
  /** What was measured before. */
  chart?: Picture | undefined;
  /** The text needs the width of two other facts. */
  isWide: boolean;
  /** The audience of a value that is not public. */
  level: string | undefined;
  /** The section with the whole value, if the fact has only its beginning. */
  whole: string | undefined;
  /** The fields of which the fact says every word, so that the sections need not repeat them. */
  said: string[];
}

type Answer = KeyFact['parts'][number] &
  Pick<KeyFact, 'picture' | 'level' | 'whole' | 'said'> & {
    /** What a sign of the law means. */
    meaning?: string | undefined;
  };

/** The first screen of a telephone has no room for more. */
const maxFacts: Readonly<Record<ViewRole, number>> = { consumer: 4, recycler: 6, inspector: 0 };
/** Facts next to the hazards. */
const maxWithHazards: typeof maxFacts = { consumer: 2, recycler: 3, inspector: 0 };

/** What a fact shows of a value. The section below shows all of it. Nothing about safety is shortened. */
const factBudget = { characters: 90, rows: 6 };

/** Texts of more characters need the width of two facts, and so do longer words, which would be broken. */
const narrow = 26;
const maxWordLength = 10;
/** A recycler's labels are those of the fields, and longer than those of the facts. */
const maxLabelLength = 20;

const hazardFields = ['hazard_pictograms', 'hazard_statements'];

/** What a recycler wants to know of a product whose template does not say it, in this order: how to take it apart safely, and what is in it. */
const recyclerFields = [
  ...['dismantling_information', 'disassembly_instructions', 'safety_measures', 'hazardous_substances'],
  ...['extinguishing_agent', 'substances_of_concern', 'ingredients', 'inci_ingredients', 'biocides', 'refrigerant'],
  ...['battery_chemistry', 'material_composition', 'fibre_composition', 'conductor_material', 'sheath_material'],
  ...['core_type', 'cover_material', 'upper_material', 'lining_material', 'outer_sole_material', 'magnet_type'],
  ...['primary_materials', 'precious_metal_fineness', 'alloy_designation', 'chemical_composition'],
  ...['battery_weight', 'garment_weight', 'motor_weight', 'packaging_weight', 'product_weight', 'metal_weight'],
  ...['replaceable_light_source', 'battery_user_replaceable', 'recyclability_grade', 'packaging_recyclability'],
  ...['recycling_instructions', 'sorting_instruction', 'waste_battery_information', 'critical_raw_materials'],
  ...['weee_category', 'rohs_compliant'],
];

const substanceFields = ['hazardous_substances', 'substances_of_concern'];

/** The dangers, if the product has any: all of them, whatever their number. */
export function hazardsOf(values: PassportValue[], template: Template, language: Language) {
  const text = texts[language].hazards;
  const presenter = presenterOf(language);
  const answersAt = answering(values, template, language);
  const found = hazardFields.flatMap((key) => {
    const [answer] = answersAt(key, key);
    return answer?.value.kind === 'list' ? [{ ...answer, key, count: answer.value.items.length }] : [];
  });
  if (found.length === 0) return undefined;
  // The pictograms have their names.
  const counts = found.flatMap(({ key, count }) =>
    key === 'hazard_pictograms' ? [] : [presenter.counted(text.statements, count)],
  );
  const [word] = answersAt('signal_word', 'signal_word');
  // The title is the signal word, and the parts are pictograms and statements.
  return { title: word && 'text' in word.value ? word.value.text : text.title, counts, parts: found };
}

/** Finds what the value of a field answers. */
function answering(values: PassportValue[], { fields }: Template, language: Language) {
  return (key: string, label: string, replacesRow = false): Answer[] => {
    const value = values.find(({ field_key }) => field_key === key);
    const field = fields.find((known) => known.key === key);
    return value && field ? answersOf(value, field, { label, replacesRow, language }) : [];
  };
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
  const asked = values.filter(({ field_key }) => isAsked(field_key));
  const hazards = hazardsOf(values, template, language);
  const answersAt = answering(asked, template, language);
  const answeredFor = (reader: ViewRole) =>
    factsFor(template, reader)
      .filter(({ fields }) => !hazards || !fields.some((key) => hazardFields.includes(key)))
      .map((fact) => {
        const label = presenter.label(fact.label);
        const answers = fact.fields.flatMap((key) => answersAt(key, label, fact.replaces_row));
        const isLink = role === 'recycler' && answers.some(({ value }) => value.kind === 'link');
        const energy = fact.key === 'capacity' ? energyOf(asked, language) : undefined;
        const text = energy ?? answers.find(({ meaning }) => meaning)?.meaning;
        const note: KeyFact['note'] = text ? { value: { kind: 'said', text }, language: undefined } : undefined;
        return { label: isLink ? linksTitle(fact.fields, language) : label, answers, fields: fact.fields, note };
      });
  const own = answeredFor(role);
  if (role === 'recycler' && !hazards) sayNoneRecorded(own, texts[language].values.noneRecorded);
  const found = own.filter(({ answers }) => answers.length > 0);
  // A recycler for whom the passport has next to nothing learns at least what the product is.
  const isPoor = role === 'recycler' && !hazards && found.length < 2;
  const isFound = (key: string) => found.some(({ fields }) => fields.includes(key));
  const others = answeredFor('consumer').filter(({ answers, fields }) => answers.length > 0 && !fields.some(isFound));
  const answered = isPoor ? [...found, ...others] : found;
  const shown = answered.slice(0, (hazards ? maxWithHazards : maxFacts)[role]);
  if (role === 'consumer') linkLabel(shown, answersAt(eprelField, ''));
  const made = shown.map(({ label, answers, note }) => {
    const picture = answers.find((answer) => answer.picture)?.picture;
    const parts = answers.map(({ value, language, picture: own }) => {
      return { value, language, isDrawn: own?.kind === 'scale' && own.letter !== undefined };
    });
    const [level, whole] = (['level', 'whole'] as const).map((name) => answers.find((answer) => answer[name])?.[name]);
    const isLong =
      lengthOf(parts) > narrow || hasLongWord(parts, role) || (role === 'recycler' && label.length > maxLabelLength);
    const isFull = picture?.kind === 'bar' || isCall(parts) || isLong || level !== undefined;
    const isWide = isFull || answers.some(({ meaning }) => meaning);
    return { label, parts, picture, note, isWide, level, whole, said: answers.flatMap(({ said }) => said) };
  });
  const narrowOnes = made.filter(({ isWide }) => !isWide);
  const alone = narrowOnes.length % 2 === 1 ? narrowOnes.at(-1) : undefined;
  const facts: KeyFact[] = made.map((fact) => (fact === alone ? { ...fact, isWide: true } : fact));
  if (role !== 'consumer') return facts;
  const label = presenter.label(labelAt('facts', 'disposal'));
  const [words] = disposalFields.flatMap((key) => answersAt(key, label, key !== 'take_back_scheme'));
  return [...facts, ...disposalFact(label, destinationOf(values, template, language), words)];
}

type Route = keyof Texts['disposal'];

/**
 * Product groups that the law collects separately whatever the passport says. Article 64 on batteries and Article 20 on
 * hazardous waste were compared with public summaries; the other articles were not compared.
 */
const routes: Readonly<Record<string, Route>> = {
  // Regulation (EU) 2023/1542, Art. 64.
  battery: 'battery',
  // Directive 2008/98/EC, Arts. 11(1) and 22c.
  ...{ textile: 'textile', footwear: 'textile' },
  tyre: 'tyre',
  // Directive 2012/19/EU, Art. 2.
  ...{ smartphone: 'electrical', computer: 'electrical', tablet: 'electrical', display: 'electrical' },
  ...{ washing_machine: 'electrical', refrigerator: 'electrical', dishwasher: 'electrical' },
  ...{ lighting: 'electrical', charger: 'electrical', server: 'electrical' },
};

const symbols: Partial<Record<Route, SymbolCode>> = {
  battery: 'separate_collection',
  electrical: 'separate_collection_bar',
};

/** The passport's own words, of which the first is shown. */
export const disposalFields = [
  ...['recycling_instructions', 'sorting_instruction', 'waste_battery_information', 'take_back_scheme'],
];

/** The destination that follows from coded values and the product group; `undefined` if nothing says it. */
function destinationOf(values: readonly PassportValue[], { key: group }: Template, language: Language) {
  const known = new Map(values.map(({ field_key, value, is_unknown }) => [field_key, is_unknown ? null : value]));
  const route = routeOf(known, group);
  if (!route) return undefined;
  // The passport may say that the product does not carry the symbol, or that nobody knows.
  const carries = known.get('separate_collection_symbol');
  const symbol = carries === undefined || isTrue(carries) ? symbols[route] : undefined;
  // The codes of which the destination says every word.
  const codes = route === 'deposit' ? [route] : [route, 'not_household'];
  const presenter = presenterOf(language);
  const said = codes
    .flatMap((code) => wordFor(code, 'disposal', language) ?? [])
    .map((words) => presenter.words(words));
  return { text: texts[language].disposal[route], symbol, said };
}

function routeOf(values: ReadonlyMap<string, unknown>, group: string): Route | undefined {
  const hazards = values.get('hazard_pictograms');
  if (values.get('deposit_return') === true) return 'deposit';
  if (values.get('weee_category')) return 'electrical';
  // Directive 2008/98/EC, Art. 20: hazardous waste of households.
  if (Array.isArray(hazards) && hazards.length > 0) return 'hazardous';
  return routes[group];
}

/** Where the product goes: by its coded values and its group, else in the passport's own words. None, if nothing says it. */
function disposalFact(
  label: string,
  destination: ReturnType<typeof destinationOf>,
  own: Answer | undefined,
): KeyFact[] {
  const route = destination && { value: { kind: 'said', text: destination.text } as const, language: undefined };
  const first = route ?? own;
  if (!first) return [];
  return [
    {
      label,
      parts: [{ value: first.value, language: first.language }],
      picture: destination?.symbol && { kind: 'symbol', code: destination.symbol },
      note: destination && own && restOf(own, destination.said),
      isWide: true,
      level: own?.level,
      whole: own?.whole,
      // The symbol and the destination say what this field does.
      said: [...(own?.said ?? []), ...(destination?.symbol ? ['separate_collection_symbol'] : [])],
    },
  ];
}

/** What the passport's own words add to the destination. */
function restOf({ value, language }: Answer, said: string[]): KeyFact['note'] {
  if (value.kind !== 'said') return { value, language };
  const text = said.reduce((rest, words) => rest.replace(words, ''), value.text).trim();
  return text === '' ? undefined : { value: { ...value, text }, language };
}

/** The substances of a product are what a recycler asks for. That none is recorded is an answer, too. */
function sayNoneRecorded(facts: { fields: string[]; answers: Answer[] }[], text: string): void {
  const substances = facts.filter(({ fields }) => fields.some((key) => substanceFields.includes(key)));
  const [first] = substances;
  if (!first || substances.some(({ answers }) => answers.length > 0)) return;
  const said = { kind: 'said', text } as const;
  const none = { language: undefined, picture: undefined, level: undefined, whole: undefined, said: [] };
  first.answers.push({ value: said, ...none });
}

/** The first class of a label leads to the label in EPREL. */
function linkLabel(facts: { fields: string[]; answers: Answer[]; note: KeyFact['note'] }[], [number]: Answer[]): void {
  const fact = facts.find(({ fields }) => fields.some((key) => labelFields.includes(key)));
  if (!fact || number?.value.kind !== 'link') return;
  const { text, href } = number.value;
  fact.note = { value: { kind: 'link', text: `EPREL ${text}`, href, isTitled: true }, language: undefined };
  fact.answers[0]?.said.push(eprelField);
}

/** The facts that answer the reader's question, most important first. Disposal has its own place. */
function factsFor(
  { facts, fields, recycler_facts = recyclerFields }: Template,
  role: ViewRole,
): (Pick<Template['facts'][number], 'label' | 'fields' | 'replaces_row'> & { key?: string })[] {
  if (role !== 'recycler') return facts.filter(({ key }) => key !== 'disposal' && key !== 'sorting');
  return recycler_facts.flatMap((key) => {
    const field = fields.find((known) => known.key === key);
    return field ? [{ label: field.label, fields: [key], replaces_row: true }] : [];
  });
}

interface About {
  label: string;
  /** Whether the label keeps every condition of the field's own. */
  replacesRow: boolean;
  language: Language;
}

/** What a value answers: nothing if it is unknown or empty. */
function answersOf(value: PassportValue, field: TemplateField, { label, replacesRow, language }: About): Answer[] {
  const isSafety = safetyFields.includes(field.key);
  const budget = isSafety ? { ...valueBudget } : { ...factBudget };
  const { value: shown, isShortened, label: withUnit } = presenterOf(language).entry(value, field, budget, label);
  if (value.is_unknown || shown.kind === 'absent') return [];
  const picture = pictureOf(value, field, shown);
  // The legend of a bar has two members of each part.
  const isPart = picture?.kind === 'bar' && shown.kind === 'table' && shown.columns.length > 2;
  const isWarning = isSafety && !handlingFields.includes(field.key);
  // The tile has no unit of a whole list.
  const isSaid = replacesRow && label === withUnit && !isShortened && !isWarning && !isPart;
  return [
    {
      value: named(shown, presenterOf(language).label(field.label)),
      language: foreign(value, language),
      picture,
      meaning: picture?.kind === 'symbol' && field.meaning ? presenterOf(language).label(field.meaning) : undefined,
      said: isSaid ? [field.key] : [],
      level: value.access_level === 'public' ? undefined : texts[language].levels[value.access_level],
      whole: isShortened ? sectionOf(field.key, field.section) : undefined,
    },
  ];
}

/** A link says what it leads to, and to which host. */
function named(value: ShownValue, name: string): ShownValue {
  if (value.kind !== 'link' || !/^https?:/i.test(value.href)) return value;
  const text = /^https?:/i.test(value.text) ? name : value.text;
  return { ...value, text: `${text} ↗`, host: new URL(value.href).host, isTitled: true };
}

/** A document has its own name. */
function linksTitle([key = '']: string[], language: Language): string {
  const { sections, documents } = texts[language];
  return sectionOf(key, undefined) === 'dismantling' ? presenterOf(language).words(sections.dismantling) : documents;
}

function isCall(parts: KeyFact['parts']): boolean {
  return parts.some(({ value }) => value.kind === 'link' && value.href.startsWith('tel:'));
}

function lengthOf(parts: KeyFact['parts']): number {
  const lengths = parts.map(({ value }) => ('text' in value ? value.text.length : narrow + 1));
  return lengths.reduce((sum, length) => sum + length, 0);
}

/**
 * Whether a text has a word too long for half the width of a telephone. Our own may break at soft hyphens, but not a number
 * from its unit. The words for shoppers are short.
 */
function hasLongWord(parts: KeyFact['parts'], role: ViewRole): boolean {
  return parts.some(({ value }) => {
    if (value.kind === 'said') {
      const words = value.text.split(/[ \u00ad/-]/);
      return words.some((word) => word.length > (/\d/.test(word) || role !== 'recycler' ? 12 : 11));
    }
    if (value.kind !== 'text' && value.kind !== 'link') return false;
    return value.text.split(/[\s/-]/).some((word) => word.length > maxWordLength);
  });
}
