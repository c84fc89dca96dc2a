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

/** The code of a unit by UN/CEFACT Recommendation 20, where it is sure. */
export function unitCode(unit: string): string | undefined {
  return Object.hasOwn(codes, unit) ? codes[unit] : undefined;
}
