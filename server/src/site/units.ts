const codes: Record<string, string> = {
  kg: 'KGM',
  g: 'GRM',
  '%': 'P1',
  W: 'WTT',
  kW: 'KWT',
  kWh: 'KWH',
  V: 'VLT',
  A: 'AMP',
  Ah: 'AMH',
  Hz: 'HTZ',
  '°C': 'CEL',
  m: 'MTR',
  mm: 'MMT',
  L: 'LTR',
  mL: 'MLT',
  h: 'HUR',
  year: 'ANN',
  month: 'MON',
  day: 'DAY',
};

/** The UN/CEFACT Recommendation 20 code of a unit, if it is known. */
export function unitCode(unit: string): string | undefined {
  return Object.hasOwn(codes, unit) ? codes[unit] : undefined;
}
