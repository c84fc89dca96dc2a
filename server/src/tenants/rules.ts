const languages: Record<string, string> = {
  DE: 'de',
  AT: 'de',
  FR: 'fr',
  IT: 'it',
  ES: 'es',
  NL: 'nl',
  PL: 'pl',
};

/** The colours that a tenant's pages can have. `site/palette.ts` has their values. */
export const colors = [
  'green',
  'teal',
  'blue',
  'navy',
  'indigo',
  'violet',
  'plum',
  'red',
  'rust',
  'brown',
  'olive',
  'slate',
] as const;

export type Color = (typeof colors)[number];

/** The form of a tenant's slug. */
export const slugForm = /^[a-z0-9]+(?:-[a-z0-9]+)*$/;

/** The language of a tenant's values, by its country. */
export function defaultLocale(country: string): string {
  return languages[country] ?? 'en';
}
