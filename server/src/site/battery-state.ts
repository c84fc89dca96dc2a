/** How much of a battery is left, from the values that the view shows. */
import type { PassportValue } from '@product-passport/openapi';
import { fill, type Language, texts } from '../languages/languages.ts';
import type { Template } from '../templates/catalogue.ts';
import { numberOf } from './energy.ts';
import type { KeyFact } from './key-facts.ts';
import { chartOf } from './measurements.ts';
import type { PublicPassport } from './public-passport.ts';
import { pageBudget, presenterOf } from './values.ts';

/** The picture of the history is as wide as the panel: twice as wide as in a row, and not higher. */
const panelWidth = 400;

/** The share that is left in percent: as certified, or the remaining of the rated capacity, in words as well. */
function shareOf(values: readonly PassportValue[], language: Language) {
  const presenter = presenterOf(language);
  const certified = numberOf(values, 'state_of_certified_energy', '%');
  if (certified !== undefined)
    return { key: 'state_of_certified_energy', percent: certified, words: [], text: presenter.measure(certified, '%') };
  const [remaining, rated] = [numberOf(values, 'remaining_capacity', 'Ah'), numberOf(values, 'rated_capacity', 'Ah')];
  if (remaining === undefined || !rated) return undefined;
  const text = texts[language].state;
  const of = { remaining: presenter.number(remaining), rated: presenter.measure(rated, 'Ah') };
  const words = [fill(text.computed, { value: fill(text.share, of) })];
  const percent = (100 * remaining) / rated;
  return { key: 'remaining_capacity', percent, words, text: presenter.percent(percent) };
}

/** The state of a battery, if the view shows it: the share that is left, when it was measured, and what was measured before. */
export function stateOf(passport: PublicPassport, template: Template, language: Language): KeyFact[] {
  const { values } = passport;
  const { fields, measured } = template;
  const share = shareOf(values, language);
  const value = values.find(({ field_key }) => field_key === share?.key);
  if (!measured || !share || !value) return [];
  const { percent, words, text } = share;
  const presenter = presenterOf(language);
  const field = fields.find(({ key }) => key === measured.date);
  const dates = values
    .filter(({ field_key, is_unknown }) => field_key === measured.date && !is_unknown)
    .map((date) => presenter.entry(date, field, { ...pageBudget }).value)
    .flatMap((date) => ('text' in date && date.kind !== 'absent' ? [date.text] : []));
  const note = [...words, ...dates].join(' · ');
  const chart = chartOf(value, passport, template, language, panelWidth);
  const said = (text: string) => ({ value: { kind: 'said' as const, text }, language: undefined });
  return [
    {
      label: presenter.words(texts[language].state.title),
      parts: [said(text)],
      picture: percent > 0 && percent <= 100 ? { kind: 'meter', percent } : undefined,
      note: note === '' ? undefined : said(note),
      chart: chart && { kind: 'line', ...chart },
      isWide: true,
      level: value.access_level === 'public' ? undefined : texts[language].levels[value.access_level],
      whole: undefined,
      // The title does not say which of the states it is, so the value keeps its row.
      said: dates.length === 0 ? [] : [measured.date],
    },
  ];
}
