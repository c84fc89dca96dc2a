/** The `curl` command that repeats a request. Keys and tokens are shell variables, so that the line is safe to share. */
import type { WireRequest } from '../http/exchange.ts';
import { mask } from '../redact.ts';

/** @param root the address that stands before the path: base address or site */
export function curlOf({ method, path, headers, body }: WireRequest, root: string): string {
  const sent = Object.entries(headers).filter(
    ([name]) => !['user-agent', 'content-length'].includes(name.toLowerCase()),
  );
  const parts = [
    'curl -i --path-as-is',
    ...(method === 'GET' ? [] : [method === 'HEAD' ? '--head' : `-X ${method}`]),
    ...sent.map(([name, value]) => header(name, value)),
    ...(body === undefined ? [] : [`--data-binary ${quoted(Buffer.from(body).toString('utf8'))}`]),
    withToken(`${root}${path}`),
  ];
  return parts.join(' ');
}

function header(name: string, value: string): string {
  return name.toLowerCase() === 'authorization' && value === mask
    ? '-H "Authorization: Bearer $API_KEY"'
    : `-H ${quoted(`${name}: ${value}`)}`;
}

function withToken(url: string): string {
  const [before, after] = url.split(`zugang=${mask}`, 2);
  return after === undefined
    ? quoted(url)
    : `${quoted(`${before}zugang=`)}"$ACCESS_TOKEN"${after === '' ? '' : quoted(after)}`;
}

function quoted(text: string): string {
  return `'${text.replaceAll("'", `'\\''`)}'`;
}
