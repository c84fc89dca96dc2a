/** The `curl` command that repeats a request. Keys and tokens are shell variables, so that the line is safe to share. */
import { isUtf8 } from 'node:buffer';
import { basename, relative } from 'node:path';
import { gzipSync } from 'node:zlib';
import type { WireRequest } from '../http/exchange.ts';
import { variable } from '../redact.ts';

/** A longer body is written compressed. A shell allows about 128 KiB in one word. */
const maxPlain = 16_384;

/**
 * @param request as in a report, with shell variables in place of secrets
 * @param root the address that stands before the path: base address or site
 */
export function curlOf({ method, path, headers, body }: WireRequest, root: string): string {
  const sent = Object.entries(headers).filter(([name]) => name.toLowerCase() !== 'user-agent');
  const [source, data] = body === undefined ? ['', ''] : dataOf(Buffer.from(body));
  return [
    source,
    'curl -i --path-as-is',
    // Otherwise curl makes several addresses of [1-9] and {a,b}.
    /[[\]{}]/.test(path) ? '-g' : '',
    method === 'GET' ? '' : method === 'HEAD' ? '--head' : `-X ${shellWord(method)}`,
    ...sent.map(([name, value]) => `-H ${quoted(value === '' ? `${name};` : `${name}: ${value}`)}`),
    // Without a type of its own, curl sends that of a form.
    body === undefined || 'content-type' in headers ? '' : "-H 'content-type:'",
    data,
    quoted(`${root}${path}`),
  ]
    .filter((part) => part !== '')
    .join(' ');
}

/** The command that writes the body, if the body is not a word of the line, and the option of curl. */
function dataOf(body: Buffer): readonly [string, string] {
  const text = body.toString('utf8');
  if (body.length > maxPlain) {
    return [`printf %s ${gzipSync(body).toString('base64')} | base64 -d | gzip -dc |`, '--data-binary @-'];
  }
  // A shell word has neither U+0000 nor bytes that are not UTF-8. A terminal acts on other control characters.
  const isWord = isUtf8(body) && !/[^\P{Cc}\n]/u.test(text);
  // Unlike --data-binary, it reads no file if the text begins with @.
  return isWord
    ? ['', `--data-raw ${quoted(text)}`]
    : [`printf %s ${body.toString('base64')} | base64 -d |`, '--data-binary @-'];
}

/** One shell word. Only the variables of redaction stand outside of the single quotes. */
function quoted(text: string): string {
  const parts = text.split(new RegExp(`(${variable.source})`));
  const word = parts
    .map((part, index) => (index % 2 === 1 ? `"${part}"` : part && `'${part.replaceAll("'", `'\\''`)}'`))
    .join('');
  return word === '' ? "''" : word;
}

/** One word of a shell command line. Quotes stand only where the shell needs them. */
export function shellWord(text: string): string {
  return /^[\w@%+=:,./-]+$/.test(text) ? text : `'${text.replaceAll("'", `'\\''`)}'`;
}

/**
 * How this program is started, so that the commands in a report can be typed as they stand.
 *
 * @param file the file that Node runs
 */
export function ownCommand(file = process.argv[1] ?? ''): string {
  const name = basename(file);
  if (/^main\.[jt]s$/.test(name)) return `node ${shellWord(relative('', file))}`;
  const isInstalled = name === 'product-passport-contracts' && !file.includes('node_modules');
  return isInstalled ? name : 'npx @product-passport/contracts';
}
