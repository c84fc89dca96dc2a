/** The project's rules for openapi.yaml, beyond OpenAPI's own. Each rule is a function from the document to its faults. */
import {
  addressOf,
  allBelow,
  below,
  codesOf,
  contractOf,
  isRecord,
  keyword,
  type MediaType,
  member,
  type Operation,
  type Place,
  type Response,
  resolved,
} from '@product-passport/openapi';
import { closed, compile, describeError, errorsOf, readSchema } from '../judge/schema.ts';

interface Fault {
  readonly at: Place;
  readonly message: string;
}

export type Rule = (root: Place) => Fault[];

const besideOperations = ['405', '408', '431'];

export const rules: Readonly<Record<string, Rule>> = {
  'error-narrows-its-codes': errorNarrowsItsCodes,
  'error-example-per-code': errorExamplePerCode,
  'response-has-example': responseHasExample,
  'example-fits-schema': exampleFitsSchema,
  'operation-documents-failures': operationDocumentsFailures,
  'errors-beside-operations': errorsBesideOperations,
  'everything-described': everythingDescribed,
  'query-integer-clamped': queryIntegerClamped,
  'response-object-requires': responseObjectRequires,
  'origin-form': originForm,
};

/** If `error.code` were any string, a 404 with the code `invalid_json` would conform to the contract. */
function errorNarrowsItsCodes(root: Place): Fault[] {
  return jsonErrorsIn(root).flatMap(({ media, codes }) => {
    const message = 'The schema of an error must list its codes: give error.code a const or an enum.';
    return codes.length > 0 ? [] : [{ at: below(media, 'schema') ?? media, message }];
  });
}

/** With a mock server, a client requests an example by its name, which is the code. */
function errorExamplePerCode(root: Place): Fault[] {
  return jsonErrorsIn(root).flatMap(({ media, codes }) => {
    const examples = allBelow(below(media, 'examples'));
    const missing = codes.filter((code) => !examples.some(([name]) => name === code));
    const misnamed = examples.filter(([name, { value }]) => name !== codeIn(isRecord(value) ? value.value : undefined));
    return [
      ...missing.map((code) => ({ at: media, message: `The code ${code} needs an example with this name.` })),
      ...misnamed.map(([name, at]) => ({ at, message: `The example ${name} must have the name of its error code.` })),
    ];
  });
}

/** A mock server sends the examples. Without one it would send made-up text. */
function responseHasExample(root: Place): Fault[] {
  return responsesIn(root).flatMap(({ place }) =>
    contentsIn(place)
      .filter(([, media]) => allBelow(below(media, 'examples')).length === 0)
      .map(([mediaType, at]) => ({ at, message: `${mediaType} needs a named example.` })),
  );
}

/** The schemas are open, but the examples must fit the closed schemas: an example must not show an undocumented field. */
function exampleFitsSchema(root: Place): Fault[] {
  const faultsOf = (media: Place): Fault[] => {
    const { schema } = resolved(media) as MediaType;
    const check = compile(readSchema(schema, closed));
    return allBelow(below(media, 'examples')).flatMap(([name, example]) =>
      errorsOf(check, structuredClone(keyword(example, 'value'))).map((error) => {
        const { where, what } = describeError(error);
        return { at: example, message: `The example ${name} does not fit its closed schema: ${where} ${what}.` };
      }),
    );
  };
  const responses = responsesIn(root).flatMap(({ place }) => contentsIn(place));
  const requests = requestBodiesIn(root).flatMap((place) => contentsIn(place));
  return [...responses, ...requests].flatMap(([, media]) => faultsOf(media));
}

/** A public operation without a path parameter returns a constant, so it documents no failure. */
function operationDocumentsFailures(root: Place): Fault[] {
  return operationsIn(root).flatMap(({ operationId, path, secured, place, responses }) => {
    const ofPublic = path.includes('{') ? ['500'] : [];
    const needed = secured ? ['401', '500'] : ofPublic;
    const at = below(place, 'responses') ?? place;
    const documents = (status: string) => responses.some(([documented]) => documented === status);
    if (!secured && documents('401')) return [{ at, message: `${operationId} documents 401, but needs no key.` }];
    return needed
      .filter((status) => !documents(status))
      .map((status) => ({ at, message: `${operationId} must document ${status}.` }));
  });
}

/** These errors belong to a path or to the server. An operation's handler cannot cause them. */
function errorsBesideOperations(root: Place): Fault[] {
  const missing = besideOperations
    .filter((status) => below(root, 'x-responses-beside-operations', status) === undefined)
    .map((status) => ({
      at: below(root, 'x-responses-beside-operations') ?? root,
      message: `${status} must be listed in x-responses-beside-operations.`,
    }));
  const misplaced = operationsIn(root).flatMap(({ operationId, place, responses }) =>
    responses
      .filter(([status]) => besideOperations.includes(status))
      .map(([status]) => ({
        at: below(place, 'responses') ?? place,
        message: `${operationId} must not document ${status}: it belongs in x-responses-beside-operations.`,
      })),
  );
  return [...missing, ...misplaced];
}

function everythingDescribed(root: Place): Fault[] {
  const named = [
    ...schemasIn(root).flatMap((schema) => (isNarrowing(schema) ? [] : propertiesOf(schema))),
    ...parametersIn(root).map((place) => [String(keyword(place, 'name')), place] as const),
    ...headersIn(root).map((place) => [place.steps.at(-1) ?? '', place] as const),
  ];
  return named
    .filter(([, place]) => typeof keyword(place, 'description') !== 'string')
    .map(([name, at]) => ({ at, message: `${name} needs a description.` }));
}

/** With `minimum` and `maximum` a mock server would refuse a number that the service moves to the nearest bound. */
function queryIntegerClamped(root: Place): Fault[] {
  return parametersIn(root)
    .filter((parameter) => keyword(parameter, 'in') === 'query')
    .flatMap((parameter) => {
      const schema = below(parameter, 'schema');
      if (schema === undefined || keyword(schema, 'type') !== 'integer') return [];
      const bounds = ['minimum', 'maximum', 'exclusiveMinimum', 'exclusiveMaximum'].filter(
        (name) => keyword(schema, name) !== undefined,
      );
      const name = String(keyword(parameter, 'name'));
      if (bounds.length > 0)
        return [{ at: schema, message: `${name} is clamped: replace ${bounds.join(', ')} by x-clamp.` }];
      const clamp = keyword(schema, 'x-clamp');
      const { minimum, maximum } = isRecord(clamp) ? clamp : {};
      const inOrder = typeof minimum === 'number' && typeof maximum === 'number' && minimum <= maximum;
      return inOrder ? [] : [{ at: schema, message: `${name} needs an x-clamp with minimum and maximum.` }];
    });
}

/** Without `required`, a response without any field would fit. */
function responseObjectRequires(root: Place): Fault[] {
  return responseSchemasIn(root)
    .filter((schema) => keyword(schema, 'type') === 'object' || keyword(schema, 'properties') !== undefined)
    .filter((schema) => !isNarrowing(schema))
    .filter((schema) => allBelow(below(schema, 'required')).length === 0)
    .map((at) => ({ at, message: 'An object in a response must list the fields that are always there in required.' }));
}

/** Whether a schema has fields but no type, inside a schema whose `allOf` describes them. */
function isNarrowing({ document, steps, value }: Place): boolean {
  if (member(value, 'type') !== undefined || member(value, 'properties') === undefined) return false;
  const around = steps.map((_step, index) => steps.slice(0, index + 1).reduce<unknown>(member, document));
  return around.some((node) => Array.isArray(member(node, 'allOf')));
}

/** `x-origin` marks its whole node, or single keywords, values and fields of it. */
function originForm(root: Place): Fault[] {
  return marked(root).flatMap(({ place, origin }): Fault[] => {
    if (origin === 'reference') return [];
    const at = below(place, 'x-origin') ?? place;
    if (!isRecord(origin) || Object.keys(origin).length === 0) {
      return [{ at, message: 'x-origin must be `reference`, or an object whose values are all `reference`.' }];
    }
    return Object.entries(origin).flatMap(([mark, who]) => {
      if (who !== 'reference') return [{ at, message: `x-origin.${mark} must be \`reference\`.` }];
      const values = ['enum', 'x-extensible-enum', 'required'].flatMap((name) => keyword(place, name));
      const known = below(place, ...mark.split('.')) !== undefined || values.includes(mark);
      return known
        ? []
        : [{ at, message: `x-origin names ${mark}, but its schema has no such keyword, value or required field.` }];
    });
  });
}

/** Every node with `x-origin`, except inside examples, which are data. */
function marked(place: Place): { readonly place: Place; readonly origin: unknown }[] {
  if (typeof place.value !== 'object' || place.value === null) return [];
  const origin = keyword(place, 'x-origin');
  const here = origin === undefined ? [] : [{ place, origin }];
  // Without following references, so that each node is listed once.
  const inside = Object.entries(place.value)
    .filter(([name]) => !['example', 'examples', 'x-origin'].includes(name))
    .flatMap(([name, value]) => marked({ document: place.document, steps: [...place.steps, name], value }));
  return [...here, ...inside];
}

function codesIn(response: Place): readonly string[] {
  return codesOf(resolved(response) as Response);
}

function jsonErrorsIn(root: Place): { readonly media: Place; readonly codes: readonly string[] }[] {
  return responsesIn(root)
    .filter(({ status }) => status >= 400)
    .flatMap(({ place }) =>
      contentsIn(place)
        .filter(([mediaType]) => mediaType === 'application/json')
        .map(([, media]) => ({ media, codes: codesIn(place) })),
    );
}

function codeIn(body: unknown): unknown {
  return member(member(body, 'error'), 'code');
}

interface OperationPlace extends Pick<Operation, 'operationId' | 'path' | 'secured'> {
  readonly place: Place;
  readonly responses: readonly (readonly [status: string, Place])[];
}

interface ResponsePlace {
  readonly status: number;
  readonly place: Place;
}

function operationsIn(root: Place): OperationPlace[] {
  return contractOf(root.document).operations.flatMap(({ operationId, path, method, secured }) => {
    const place = below(root, 'paths', path, method.toLowerCase());
    return place ? [{ operationId, path, secured, place, responses: allBelow(below(place, 'responses')) }] : [];
  });
}

/** The responses of all operations, and the responses beside the operations. */
function responsesIn(root: Place): ResponsePlace[] {
  const all = [
    ...operationsIn(root).flatMap(({ responses }) => responses),
    ...allBelow(below(root, 'x-responses-beside-operations')),
  ].map(([status, place]) => ({ status: Number(status), place }));
  return once(all, ({ place }) => place);
}

/** The bodies of a request or response, by media type. */
function contentsIn(place: Place): readonly (readonly [mediaType: string, Place])[] {
  return allBelow(below(place, 'content'));
}

function requestBodiesIn(root: Place): Place[] {
  return operationsIn(root).flatMap(({ place }) => below(place, 'requestBody') ?? []);
}

/** The parameters of all operations and paths, and those in `components`. */
function parametersIn(root: Place): Place[] {
  const paths = allBelow(below(root, 'paths')).map(([, item]) => item);
  const operations = operationsIn(root).map(({ place }) => place);
  const holders = [...paths, ...operations, below(root, 'components')];
  return once(
    holders.flatMap((holder) => allBelow(below(holder, 'parameters')).map(([, place]) => place)),
    (place) => place,
  );
}

/** The headers of all responses, and those in `components`. */
function headersIn(root: Place): Place[] {
  const holders = [...responsesIn(root).map(({ place }) => place), below(root, 'components')];
  return once(
    holders.flatMap((holder) => allBelow(below(holder, 'headers')).map(([, place]) => place)),
    (place) => place,
  );
}

/** The schemas of all bodies, parameters and headers, those in `components`, and every schema inside them. */
function schemasIn(root: Place): Place[] {
  const bodies = [...responsesIn(root).map(({ place }) => place), ...requestBodiesIn(root)];
  const holders = [...bodies.flatMap((body) => contentsIn(body).map(([, media]) => media)), ...parametersIn(root)];
  const used = [...holders, ...headersIn(root)].flatMap((holder) => below(holder, 'schema') ?? []);
  const components = allBelow(below(root, 'components', 'schemas')).map(([, schema]) => schema);
  return withParts([...used, ...components]);
}

/** The schemas of response bodies, and every schema inside them. */
function responseSchemasIn(root: Place): Place[] {
  const contents = responsesIn(root).flatMap(({ place }) => contentsIn(place));
  return withParts(contents.flatMap(([, media]) => below(media, 'schema') ?? []));
}

/** The fields of an object schema, by name. */
function propertiesOf(schema: Place): readonly (readonly [name: string, Place])[] {
  return allBelow(below(schema, 'properties'));
}

function withParts(schemas: readonly Place[]): Place[] {
  const seen = new Map<string, Place>();
  const visit = (schema: Place): void => {
    const address = addressOf(schema);
    if (seen.has(address)) return;
    seen.set(address, schema);
    for (const [, property] of propertiesOf(schema)) visit(property);
    for (const applicator of ['allOf', 'anyOf', 'oneOf']) {
      for (const [, part] of allBelow(below(schema, applicator))) visit(part);
    }
    for (const applicator of ['items', 'additionalProperties']) {
      const part = below(schema, applicator);
      if (part !== undefined && isRecord(part.value)) visit(part);
    }
  };
  for (const schema of schemas) visit(schema);
  return [...seen.values()];
}

function once<Part>(parts: readonly Part[], placeOf: (part: Part) => Place): Part[] {
  return [...new Map(parts.map((part) => [addressOf(placeOf(part)), part])).values()];
}
