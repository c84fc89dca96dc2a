import accept from '@hapi/accept';

/** The languages of the pages. The first is that of readers whose own is not among them. */
export const languages = ['en', 'de'] as const;
export type Language = (typeof languages)[number];

/** The language for a reader: the one that the address asks for, else the best of those the browser accepts. */
export function languageOf(lang: string | null | undefined, acceptLanguage: string | undefined): Language {
  for (const tag of [lang ?? '', ...accepted(acceptLanguage)]) {
    const [primary] = tag.toLowerCase().split('-');
    const known = languages.find((language) => language === primary);
    if (known) return known;
  }
  return languages[0];
}

function accepted(acceptLanguage: string | undefined): string[] {
  try {
    return accept.languages(acceptLanguage);
  } catch {
    // No header of that form: whoever sends it still gets a page.
    return [];
  }
}
