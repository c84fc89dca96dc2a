import type { PassportValue } from '@product-passport/openapi';
import type { Language } from '../languages/languages.ts';
import type { Template, TemplateField } from '../templates/catalogue.ts';
import { foreign } from './entries.ts';
import { type Picture, pictureOf } from './pictures.ts';
import { presenterOf, type ShownValue } from './values.ts';

/** What the reader of a product group wants to know first. */
export interface KeyFact {
  label: string;
  /** One value for each field that answers it. */
  parts: { value: ShownValue; language: string | undefined }[];
  picture: Picture | undefined;
  /** The text needs the width of two other facts. */
  isWide: boolean;
}

type Answer = KeyFact['parts'][number] & { picture: Picture | undefined };

/** The first screen of a telephone has no room for more. */
const mostFacts = 4;

/** What a fact shows of a value. The section below shows all of it. */
const factBudget = { characters: 90, rows: 6 };

/** Texts of more characters need the width of two facts, and so do longer words, which would be broken. */
const narrow = 26;
const longestWord = 11;

/** The first key facts of the template that have a value. */
export function keyFactsOf(values: PassportValue[], { facts, fields }: Template, language: Language): KeyFact[] {
  const presenter = presenterOf(language);
  const byKey = new Map(values.map((value) => [value.field_key, value]));
  const answered = facts.map((fact) => {
    const label = presenter.label(fact.label);
    const answers = fact.fields.flatMap((key) => {
      const value = byKey.get(key);
      const field = fields.find((known) => known.key === key);
      return value && field ? answersOf(value, field, label, language) : [];
    });
    return { label, answers };
  });
  const shown = answered.filter(({ answers }) => answers.length > 0).slice(0, mostFacts);
  const made = shown.map(({ label, answers }) => {
    const picture = answers.find((answer) => answer.picture)?.picture;
    const isDrawnWide = picture?.kind === 'bar' || picture?.kind === 'pictograms';
    // The picture of the hazards has their names.
    const texts = answers.filter((answer) => answer.picture?.kind !== 'pictograms');
    const parts = texts.map(({ value, language }) => ({ value, language }));
    return { label, parts, picture, isWide: isDrawnWide || lengthOf(parts) > narrow || hasLongWord(parts) };
  });
  const narrowOnes = made.filter(({ isWide }) => !isWide);
  const alone = narrowOnes.length % 2 === 1 ? narrowOnes.at(-1) : undefined;
  return made.map((fact) => (fact === alone ? { ...fact, isWide: true } : fact));
}

/** What a value answers: nothing if it is unknown or empty. */
function answersOf(value: PassportValue, field: TemplateField, label: string, language: Language): Answer[] {
  const shown = presenterOf(language).entry(value, field, { ...factBudget }, label).value;
  if (value.is_unknown || shown.kind === 'absent') return [];
  return [{ value: shown, language: foreign(value, language), picture: pictureOf(value, field, shown) }];
}

function lengthOf(parts: KeyFact['parts']): number {
  const lengths = parts.map(({ value }) => ('text' in value ? value.text.length : narrow + 1));
  return lengths.reduce((sum, length) => sum + length, 0);
}

/** Whether a text of the passport has a word too long for half the width of a telephone. Other texts have soft hyphens. */
function hasLongWord(parts: KeyFact['parts']): boolean {
  return parts.some(
    ({ value }) => value.kind === 'text' && value.text.split(/[\s/-]/).some((word) => word.length > longestWord),
  );
}
