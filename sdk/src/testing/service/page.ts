import type { PublicPassport } from './document.ts';

/** The passport as an HTML page. */
export function passportPage({ name, values, hasInvalidToken, issuer, language }: PublicPassport): string {
  const rows = values.map(({ field_key, value, unit, is_unknown }) => {
    const text = typeof value === 'string' ? value : JSON.stringify(value);
    const shown = is_unknown || value === null ? 'unknown' : `${text} ${unit ?? ''}`.trim();
    return `<dt>${escaped(field_key)}</dt><dd>${escaped(shown)}</dd>`;
  });
  const notice = hasInvalidToken ? '<p role="note">The access link is not valid. This is the public view.</p>' : '';
  return document(name, `${notice}<p>${escaped(issuer)}</p><dl lang="${language}">${rows.join('')}</dl>`);
}

export function errorPage(message: string): string {
  return document(message, '');
}

function document(title: string, content: string): string {
  const heading = escaped(title);
  return `<!doctype html><html lang="en"><meta charset="utf-8"><title>${heading}</title><h1>${heading}</h1>${content}</html>`;
}

function escaped(text: string): string {
  return text.replace(/[&<>"']/g, (character) => `&#${character.charCodeAt(0)};`);
}
