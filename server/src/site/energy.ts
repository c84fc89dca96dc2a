/** The energy of a battery, from the values that the view shows. */
import type { PassportValue } from '@product-passport/openapi';
import { fill, type Language, texts } from '../languages/languages.ts';
import { presenterOf } from './values.ts';

/** A known number of a field in a unit, if the view shows it. */
export function numberOf(values: readonly PassportValue[], key: string, unit: string): number | undefined {
  const found = values.find(({ field_key }) => field_key === key);
  return found && !found.is_unknown && found.unit === unit && typeof found.value === 'number' ? found.value : undefined;
}

/** The energy in kWh, to three digits, marked as computed; `undefined` without a capacity in Ah and a voltage in V. */
export function energyOf(values: readonly PassportValue[], language: Language): string | undefined {
  const [capacity, voltage] = [numberOf(values, 'rated_capacity', 'Ah'), numberOf(values, 'nominal_voltage', 'V')];
  if (!capacity || !voltage) return undefined;
  const energy = Number(((capacity * voltage) / 1000).toPrecision(3));
  return fill(texts[language].state.computed, { value: presenterOf(language).measure(energy, 'kWh') });
}
