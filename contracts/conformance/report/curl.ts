/** The `curl` command that repeats a request. Keys and tokens are shell variables, so that the line is safe to share. */
import type { WireRequest } from '../http/exchange.ts';

/**
 * @param request as in a report, with shell variables in place of secrets
 * @param root the address that stands before the path: base address or site
 */
export function curlOf({ method, path, headers, body }: WireRequest, root: string): string {
  const sent = Object.entries(headers).filter(([name]) => name.toLowerCase() !== 'user-agent');
  const text = Buffer.from(body ?? []).toString('utf8');
  const isText = Buffer.from(text).equals(body ?? Buffer.of()) && !text.includes('\0');
  const data = isText ? `--data-binary ${quoted(text)}` : '--data-binary @-';
  return [
    // A shell word has neither U+0000 nor bytes that are not UTF-8.
    ...(isText ? [] : [`printf %s ${Buffer.from(body ?? []).toString('base64')} | base64 -d |`]),
    'curl -i --path-as-is',
    ...(method === 'GET' ? [] : [method === 'HEAD' ? '--head' : `-X ${method}`]),
    ...sent.map(([name, value]) => `-H ${quoted(`${name}: ${value}`)}`),
    ...(body === undefined ? [] : [data]),
    quoted(`${root}${path}`),
  ].join(' ');
}

/** One shell word. Only the variables of redaction stand outside of the single quotes. */
function quoted(text: string): string {
  const parts = text.split(/(\$[A-Z_]+_(?:KEY|TOKEN)\b|\$API_KEY\b)/);
  const word = parts
    .map((part, index) => (index % 2 === 1 ? `"${part}"` : part && `'${part.replaceAll("'", `'\\''`)}'`))
    .join('');
  return word === '' ? "''" : word;
}
