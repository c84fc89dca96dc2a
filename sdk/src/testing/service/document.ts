import type { ShownPassport } from '../../../../openapi/src/rules/document.ts';

/** The passport as an HTML page. */
export function passportPage({ row, values, view }: ShownPassport): string {
  const rows = values.map(({ field_key, value, unit, is_unknown }) => {
    const text = typeof value === 'string' ? value : JSON.stringify(value);
    const shown = is_unknown || value === null ? 'unknown' : `${text} ${unit ?? ''}`.trim();
    return `<dt>${escaped(field_key)}</dt><dd>${escaped(shown)}</dd>`;
  });
  const notice = view.refused ? '<p role="note">The access link is not valid. This is the public view.</p>' : '';
  return document(
    row.name,
    `${notice}<p>${escaped(row.tenant_name)}</p><dl lang="${row.language}">${rows.join('')}</dl>`,
  );
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
