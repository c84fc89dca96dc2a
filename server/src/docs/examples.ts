/** Each operation as a `curl` command and as a call of the SDK, made from the contract's examples. */
import type { Operation, OperationId } from '@product-passport/openapi';

/** The variable of the shell with the API key. */
export const keyVariable = 'PRODUCT_PASSPORT_KEY';

/** The widest line of an example, in characters. */
const widest = 56;

/** A method of the SDK: its name, its arguments, and what the example calls its result. */
interface Method {
  call: string;
  /** `query`, `body`, or a path parameter. */
  arguments: readonly string[];
  result: string;
}

const methods: Partial<Record<OperationId, Method>> = {
  getMe: { call: 'client.me.get', arguments: [], result: 'me' },
  listProducts: { call: 'client.products.list', arguments: ['query'], result: 'page' },
  createProduct: { call: 'client.products.create', arguments: ['body'], result: 'product' },
  setProductStatus: { call: 'client.products.setStatus', arguments: ['slug', 'body'], result: 'product' },
  getProduct: { call: 'client.products.get', arguments: ['slug'], result: 'product' },
  getPassport: { call: 'client.passports.get', arguments: ['slug'], result: 'passport' },
  putPassport: { call: 'client.passports.put', arguments: ['slug', 'body'], result: 'written' },
  listCarriers: { call: 'client.carriers.list', arguments: ['slug'], result: 'carriers' },
  getScanStatistics: { call: 'client.analytics.scans', arguments: ['query'], result: 'statistics' },
  getPassportPage: { call: 'site.passports.page', arguments: ['tenant', 'product'], result: 'html' },
  getPassportJsonld: { call: 'site.passports.document', arguments: ['tenant', 'product'], result: 'document' },
  resolveGtin: { call: 'site.resolve', arguments: ['gtin'], result: 'resolution' },
};

/** The lines that make `client` and `site`, which the other examples use. */
export function setUp(siteUrl: string): string {
  return `import { createClient } from '@product-passport/sdk';
import { createPublicClient } from '@product-passport/sdk/public';

const client = createClient({
  baseUrl: '${siteUrl}/api/v1',
  apiKey: process.env.${keyVariable} ?? '',
});
const site = createPublicClient({ siteUrl: '${siteUrl}' });`;
}

/** The first call in Python, with its standard library alone. */
export function pythonCall(siteUrl: string): string {
  return `import json, os, urllib.request

key = os.environ['${keyVariable}']
request = urllib.request.Request(
    '${siteUrl}/api/v1/me',
    headers={'Authorization': f'Bearer {key}'},
)
with urllib.request.urlopen(request) as response:
    print(json.load(response)['tenant']['name'])`;
}

/** The example of a call, or `undefined` if the SDK has no method for the operation. */
export function sdkExample(operation: Operation): string | undefined {
  const method = methods[operation.operationId];
  if (!method) return undefined;
  const path = pathExamples(operation);
  const values = method.arguments.map((name) => {
    if (name === 'body') return exampleBody(operation);
    return name === 'query' ? queryExamples(operation) : path[name];
  });
  const start = `const ${method.result} = await ${method.call}(`;
  const given = values.filter((value) => !isEmptyObject(value)).map((value) => written(value, script, 0, start.length));
  return `${start}${given.join(', ')});`;
}

/** The `curl` command of an operation. */
export function curlExample(operation: Operation, siteUrl: string): string {
  const { method, side, responses } = operation;
  const path = pathExamples(operation, siteUrl);
  const filled = operation.path.replaceAll(/\{(\w+)\}/g, (_braces, name: string) =>
    encodeURIComponent(path[name] ?? ''),
  );
  const query = new URLSearchParams(
    Object.entries(queryExamples(operation)).map(([name, value]) => [name, `${value}`]),
  );
  const address = `${siteUrl}${filled}${query.size > 0 ? `?${query}` : ''}`;
  const body = exampleBody(operation);
  return [
    // A redirect has no body: the headers say where it leads. A body makes the request a POST.
    `curl ${'307' in responses ? '-i ' : ''}${method === 'GET' || method === 'POST' ? '' : `-X ${method} `}${shellWord(address)}`,
    ...(side.secured ? [`-H "Authorization: Bearer $${keyVariable}"`] : []),
    ...(body === undefined ? [] : ["-H 'Content-Type: application/json'", `-d ${shellWord(jsonText(body))}`]),
  ].join(' \\\n  ');
}

/** How a language writes texts and the names of members. */
interface Notation {
  text: (text: string) => string;
  name: (name: string) => string;
}

const json: Notation = { text: (text) => JSON.stringify(text), name: (name) => JSON.stringify(name) };

const quoted = (text: string): string => `'${text.replaceAll('\\', '\\\\').replaceAll("'", "\\'")}'`;
const script: Notation = { text: quoted, name: (name) => (/^[A-Za-z_]\w*$/.test(name) ? name : quoted(name)) };

/** A value as JSON for a reader: what is short stays in one line. */
export function jsonText(value: unknown): string {
  return written(value, json, 0);
}

/** An array or object in one line if it fits, otherwise with one element in each line. */
function written(value: unknown, notation: Notation, indent: number, taken = indent): string {
  if (typeof value === 'string') return notation.text(value);
  if (typeof value !== 'object' || value === null) return JSON.stringify(value);
  const isArray = Array.isArray(value);
  const members = Object.entries(value).map(
    ([name, member]) => `${isArray ? '' : `${notation.name(name)}: `}${written(member, notation, indent + 2)}`,
  );
  const [open, close] = isArray ? '[]' : '{}';
  const space = isArray || members.length === 0 ? '' : ' ';
  const line = `${open}${space}${members.join(', ')}${space}${close}`;
  if (taken + line.length <= widest && !line.includes('\n')) return line;
  const margin = ' '.repeat(indent + 2);
  return `${open}\n${members.map((member) => `${margin}${member}`).join(',\n')}\n${' '.repeat(indent)}${close}`;
}

function exampleBody({ body }: Operation): unknown {
  const examples = Object.values(body?.examples ?? {});
  // The fullest example shows every field.
  return examples.map(({ value }) => value).toSorted((a, b) => size(b) - size(a))[0];
}

const size = (value: unknown): number => JSON.stringify(value).length;

/** The site of the contract's examples. */
const exampleSite = 'https://passport.example.com';

function pathExamples({ parameters }: Operation, siteUrl = exampleSite): Record<string, string> {
  const ofPath = parameters.filter((one) => one.in === 'path');
  return Object.fromEntries(ofPath.map(({ name, example }) => [name, String(example).replace(exampleSite, siteUrl)]));
}

/** The parameters whose example differs from their default. */
function queryExamples({ parameters }: Operation): Record<string, unknown> {
  const given = parameters.filter(
    ({ in: part, example, schema }) => part === 'query' && example !== undefined && example !== schema.default,
  );
  return Object.fromEntries(given.map(({ name, example }) => [name, example]));
}

function isEmptyObject(value: unknown): boolean {
  return typeof value === 'object' && value !== null && !Array.isArray(value) && Object.keys(value).length === 0;
}

/** One word of a shell command line. */
function shellWord(text: string): string {
  return /^[\w@%+=:,./-]+$/.test(text) ? text : `'${text.replaceAll("'", `'\\''`)}'`;
}
