import { escapeHtml } from '@hapi/hoek';
import type { View } from '../access/token.ts';
import type { PassportValue } from '../passports/rules.ts';
import type { PublicPassport } from './handlers.ts';

/** The passport as a plain page. */
export function passportPage({ product, values, version, view }: PublicPassport): string {
  const rows = values.map((value) => `<tr><th>${escapeHtml(value.field_key)}<td>${escapeHtml(shown(value))}`);
  return page(
    product.name,
    `${viewNote(view)}<table>${rows.join('')}</table><p>SHA-256 <code>${version.content_hash}</code>, ${version.created_at}`,
  );
}

/** Whose view it is. The last sentence is the same on every page: it tells nothing of what is hidden here. */
function viewNote({ role, refused }: View): string {
  const notice = refused
    ? '<p role="status">The access link is not valid (any more). This is the public view.</p>'
    : '';
  return `${notice}<p>View: ${role}. Recyclers and inspectors with an access link may see more.</p>`;
}

/** An error, for people. */
export function errorPage({ status, message }: { status: number; message: string }): string {
  return page(status === 404 ? 'There is no passport here' : 'Something went wrong', `<p>${escapeHtml(message)}`);
}

function shown({ value, unit, is_unknown }: PassportValue): string {
  if (is_unknown || value === null) return 'unknown';
  const text = typeof value === 'string' ? value : JSON.stringify(value);
  return unit === null ? text : `${text} ${unit}`;
}

function page(title: string, content: string): string {
  return `<!doctype html><html lang="en"><meta charset="utf-8"><title>${escapeHtml(title)}</title><h1>${escapeHtml(title)}</h1>${content}</html>\n`;
}
