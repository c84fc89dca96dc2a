/** The labels of a statement. */
interface StoreLabels {
  kind: string;
  table: string;
}

/** The kinds of statements that read or change rows. */
const kinds = new Set(['select', 'insert', 'update', 'delete']);

/** Most statements are built once, so few texts come again and again. */
const known = new Map<string, StoreLabels>();
const mostKnown = 1000;

/** The kind of a SQL statement, and the table that it names first. */
export function storeOf(sql: string): StoreLabels {
  const found = known.get(sql);
  if (found) return found;
  const labels = read(sql);
  if (known.size < mostKnown) known.set(sql, labels);
  return labels;
}

function read(sql: string): StoreLabels {
  const [, word = ''] = /^\W*(\w+)/.exec(sql) ?? [];
  const kind = word.toLowerCase() === 'with' ? 'select' : word.toLowerCase();
  if (!kinds.has(kind)) return { kind: 'other', table: '' };
  const [, table = ''] = /\b(?:from|into|update)\s+[`"]?([a-z_]+)/i.exec(sql) ?? [];
  return { kind, table };
}
