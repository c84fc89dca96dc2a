/** Finds what an error must not show of the inside of a service. The patterns must not match ordinary messages. */

import { isRecord } from '@product-passport/openapi';

export interface Leak {
  readonly kind: 'stack trace' | 'file path' | 'SQL';
  /** The text that shows it, at most one line. */
  readonly text: string;
}

/** A path begins after one of these, so that the path of a web address does not count. */
const start = String.raw`(?<=^|[\s"'(=<>\[\x60:](?!//))`;
const sourceFile = String.raw`\.(?:[cm]?[jt]sx?|py|rb|php|java|go|rs|cs|sql|sqlite3?|db|conf|json|ya?ml)\b`;

const patterns: Readonly<Record<Leak['kind'], readonly RegExp[]>> = {
  'stack trace': [
    // JavaScript: at getProduct (handlers.js:12:7)
    /(?:^|\s|;)at [^\n]{0,200}?[\w)/\]]\.[cm]?[jt]sx?:\d+:\d+|\bnode:internal\/[^\n]*/m,
    // Java: at com.acme.Products.find(Products.java:41)
    /^[ \t]*at [\w.$/<>]+\((?:[\w$]+\.(?:java|kt|scala|groovy):\d+|Native Method|Unknown Source)\)/m,
    // .NET: at Acme.Products.Find(String slug) in Products.cs:line 41
    /^[ \t]*at [^\n]{1,300}\) in [^\n]{1,300}:line \d+/m,
    /Traceback \(most recent call last\)[^\n]*/,
    /^[ \t]*File "[^"\n]+", line \d+/m,
    /\bgoroutine \d+ \[\w[^\]\n]*\]:/,
    // PHP: #0 index.php(12): Products->find()
    /#\d+ [^\n]{0,200}?\.php\(\d+\): [^\n]*/,
    /\.rb:\d+:in [`'][^\n]*/,
    /\bpanicked at [^\n]+\.rs:\d+[^\n]*/,
  ],
  'file path': [
    new RegExp(
      `${start}/(?:usr|var|home|root|opt|srv|etc|tmp|proc|mnt|private|Users|Library)/[\\w.@+-]+/?[^\\s"'<>)]*`,
      'm',
    ),
    new RegExp(`${start}/(?:app|code|src|workspace|build|dist)/[\\w.@+/-]{1,300}${sourceFile}`, 'm'),
    /\b[A-Za-z]:\\[\w.@ -]+\\[^\s"'<>]*/,
    /\bfile:\/\/\/[^\s"'<>]+/,
    /\b(?:node_modules|site-packages)\/[^\s"'<>]*/,
  ],
  SQL: [
    /\bselect\b[^\n]{1,500}?\bfrom\s+["`[]\w[^\n]*/i,
    /\bSELECT\b[^\n]{1,500}?\bFROM\s+\w[^\n]*/,
    /\binsert into\s+["`[]?[\w.]+["`\]]?\s*\([^\n]{0,500}?\)\s*values\b[^\n]*/i,
    /\bupdate\s+["`[]?[\w.]+["`\]]?\s+set\s+["`[]?[\w.]+["`\]]?\s*=[^\n]*/i,
    /\bdelete from\s+["`[]\w[^\n]*/i,
    /\bDELETE FROM\s+\w+\s+WHERE\b[^\n]*/,
    /\bSQLITE_[A-Z]+\b[^\n]*|\bSQLSTATE\b[^\n]*|\bORA-\d{5}\b[^\n]*|\bER_[A-Z]+(?:_[A-Z]+)+\b[^\n]*/,
    /\b(?:UNIQUE|FOREIGN KEY|NOT NULL|CHECK) constraint failed\b[^\n]*|\bviolates [a-z-]+(?: key)? constraint\b[^\n]*/,
    /\b(?:relation|column) "[^"\n]+"(?: of relation "[^"\n]+")? does not exist\b|\bno such (?:table|column): [^\n]*/,
    /\berror in your SQL syntax\b[^\n]*|\bsyntax error at or near\b[^\n]*/,
  ],
};

/** Addresses in the attributes of a page. They are paths of the site, not of files. */
const addresses = /\b(?:href|src|srcset|action|content|poster|data-[\w-]+)\s*=\s*(?:"[^"]*"|'[^']*')/gi;

/** A longer text would take too long. Errors show their leaks at the beginning. */
const searchedLength = 100_000;

/** The leaks in the text of an error: at most one of each kind. */
export function leaksIn(text: string): readonly Leak[] {
  const searched = text.slice(0, searchedLength).replace(addresses, '').replaceAll('&nbsp;', ' ');
  return Object.entries(patterns).flatMap(([kind, ofKind]) => {
    const found = ofKind.map((pattern) => pattern.exec(searched)?.[0]).find((match) => match !== undefined);
    return found === undefined ? [] : [{ kind: kind as Leak['kind'], text: found.trim() }];
  });
}

/** The texts in a body: a text itself, or every string in JSON. */
export function textsIn(body: unknown): string {
  if (typeof body === 'string') return body;
  if (Array.isArray(body)) return body.map(textsIn).join('\n');
  return isRecord(body) ? Object.values(body).map(textsIn).join('\n') : '';
}
