/** Requests made from the contract: those that each operation serves, and those that it typically refuses. */
import type { Operation, Parameter } from '../../../openapi/src/index.ts';
import type { Outgoing } from '../../support/wire.ts';

/** A request to one of the services that the parity test compares. */
export interface Ask {
  /** The operation and what is special about the request. */
  readonly name: string;
  readonly request: Outgoing;
}

/** What the same request needs to be valid for a service. */
export interface Access {
  readonly key: string;
}

type Change = Partial<Omit<Outgoing, 'headers'>> & { headers?: Outgoing['headers'] };

/** Values that no service has, and values of another form. */
const otherValues: Record<string, { unknown?: string; malformed: string }> = {
  slug: { unknown: 'no-such-product', malformed: 'A%20B' },
  tenant: { unknown: 'no-such-tenant', malformed: 'A%20B' },
  product: { unknown: 'no-such-product', malformed: '..%2F' },
  gtin: { unknown: '00000000000000', malformed: '123' },
  cpv: { malformed: 'a%20b' },
  batch: { malformed: 'a'.repeat(21) },
  serial: { malformed: 'a%20b' },
  tpx: { malformed: 'a'.repeat(29) },
};

const bodies: Record<string, Buffer> = {
  'an empty body': Buffer.from(''),
  'malformed JSON': Buffer.from('{"name":'),
  'a body that is not UTF-8': Buffer.from([0x22, 0xff, 0x22]),
  'an object as the body': Buffer.from('{}'),
  'an array as the body': Buffer.from('[]'),
  'null as the body': Buffer.from('null'),
  'a member named __proto__': Buffer.from('{"name":"a","__proto__":{}}'),
  'a lone surrogate': Buffer.from('{"name":"\\ud800"}'),
  'a number that a double changes': Buffer.from('{"name":"a","x":9007199254740993}'),
  'a blank name': Buffer.from('{"name":" "}'),
  'a name of the wrong type': Buffer.from('{"name":1}'),
  'a name with 501 characters': Buffer.from(JSON.stringify({ name: 'a'.repeat(501) })),
  'an unknown product group': Buffer.from('{"name":"a","product_group":"none"}'),
  'a GTIN with two digits': Buffer.from('{"name":"a","gtin":"12"}'),
  'a slug of another form in the body': Buffer.from('{"name":"a","slug":"A B"}'),
  'an element without a key': Buffer.from('[{"value":1}]'),
  'an element without a value': Buffer.from('[{"field_key":"a"}]'),
  'an element with an unknown access level': Buffer.from('[{"field_key":"a","value":1,"access_level":"x"}]'),
  '1,001 elements': Buffer.from(JSON.stringify(Array(1001).fill({ field_key: 'a', value: 1 }))),
  'a body of more than 1 MiB': Buffer.from(JSON.stringify({ name: 'a'.repeat(1024 * 1024) })),
};

export function requestsOf(operation: Operation, { key }: Access): Ask[] {
  const { operationId, method, secured, body } = operation;
  const ask = (what: string, { headers, ...change }: Change = {}): Ask => ({
    name: `${operationId}, ${what}`,
    request: { ...valid, ...change, headers: { ...valid.headers, ...headers } },
  });
  const [first] = Object.values(body?.examples ?? {});
  const valid: Outgoing = {
    method,
    path: pathOf(operation),
    headers: {
      ...(secured && { authorization: `Bearer ${key}` }),
      ...(body && { 'content-type': 'application/json' }),
    },
    ...(first && { body: Buffer.from(JSON.stringify(first.value)) }),
  };

  const paths = operation.parameters.filter(({ in: where }) => where === 'path');
  const queries = operation.parameters.filter(({ in: where }) => where === 'query');
  return [
    ask('a valid request'),
    ask('a trailing slash', { path: `${valid.path}/` }),
    ask('an unknown parameter', { path: `${valid.path}?unknown=1` }),
    ask('the method DELETE', { method: 'DELETE', body: undefined }),
    ask('the method OPTIONS', { method: 'OPTIONS', body: undefined }),
    ...(method === 'GET' ? [ask('the method HEAD', { method: 'HEAD' })] : []),
    ...['image/png', 'text/html', 'application/ld+json', 'application/linkset+json'].map((accept) =>
      ask(`Accept: ${accept}`, { headers: { accept } }),
    ),
    ...paths.flatMap((parameter) => otherPaths(operation, parameter).map(([what, path]) => ask(what, { path }))),
    ...queries.flatMap((parameter) =>
      queriesOf(parameter).map(([what, text]) => ask(what, { path: valid.path + text })),
    ),
    ...(secured ? keyRefusals.map(([what, authorization]) => ask(what, { headers: { authorization } })) : []),
    ...(secured ? [] : [ask('If-None-Match: *', { headers: { 'if-none-match': '*' } })]),
    ...(body ? bodyRequests(body.examples).map(([what, change]) => ask(what, change)) : []),
  ];
}

const keyRefusals = [
  ['no key', ''],
  ['another scheme', 'Basic abc'],
] as const;

/** Requests of no operation. */
export function otherRequests({ key }: Access): Ask[] {
  const headers = { authorization: `Bearer ${key}` };
  return [
    { name: 'an unknown path of the API', request: { method: 'GET', path: '/api/v1/unknown', headers } },
    {
      name: 'an unknown path of the API without a key',
      request: { method: 'GET', path: '/api/v1/unknown', headers: {} },
    },
    { name: 'an unknown path', request: { method: 'GET', path: '/unknown', headers: {} } },
    { name: 'another path below /01/', request: { method: 'GET', path: '/01/09520001200045/99/a', headers: {} } },
  ];
}

/** The path with the contract's examples, and with another value for some parameters. */
function pathOf({ path, parameters }: Operation, others: Readonly<Record<string, string>> = {}): string {
  return path.replaceAll(/\{(\w+)\}/g, (_braces, name: string) => {
    const example = parameters.find((parameter) => parameter.in === 'path' && parameter.name === name)?.example;
    return others[name] ?? encodeURIComponent(String(example));
  });
}

function otherPaths(operation: Operation, { name }: Parameter): [string, string][] {
  const { unknown, malformed } = otherValues[name] ?? { malformed: '' };
  if (malformed === '')
    throw new Error(`The requests of the parity test need another value for the parameter ${name}.`);
  return [
    ...(unknown === undefined
      ? []
      : [[`an unknown ${name}`, pathOf(operation, { [name]: unknown })] as [string, string]]),
    [`a ${name} of another form`, pathOf(operation, { [name]: malformed })],
  ];
}

function queriesOf({ name, schema, example = 'nonsense' }: Parameter): [string, string][] {
  const given = `${name}=${encodeURIComponent(String(example))}`;
  const others = schema.type === 'integer' ? ['abc', '1.5', '-5', '99999999999999999'] : ['', 'other'];
  return [
    [given, `?${given}`],
    [`${name} twice`, `?${given}&${given}`],
    ...others.map((value): [string, string] => [`${name}=${value}`, `?${name}=${value}`]),
  ];
}

function bodyRequests(examples: Readonly<Record<string, { readonly value: unknown }>> = {}): [string, Change][] {
  const named = Object.entries(examples).map(([name, { value }]): [string, Change] => [
    `the example ${name}`,
    { body: Buffer.from(JSON.stringify(value)) },
  ]);
  const others = Object.entries(bodies).map(([name, body]): [string, Change] => [name, { body }]);
  return [
    ...named,
    ...others,
    ['a body without a type', { headers: { 'content-type': '' } }],
    ['a body as text', { headers: { 'content-type': 'text/plain' } }],
    ['a compressed body', { headers: { 'content-encoding': 'gzip' } }],
  ];
}
