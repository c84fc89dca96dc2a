/**
 * Where the contract's operations, responses, parameters, headers and schemas are written. Each place is listed once,
 * even if several references name it.
 */
import {
  addressOf,
  allBelow,
  below,
  contractOf,
  isRecord,
  type Operation,
  type Place,
} from '@product-passport/openapi';

export interface OperationPlace extends Pick<Operation, 'operationId' | 'path' | 'secured'> {
  readonly place: Place;
  readonly responses: readonly (readonly [status: string, Place])[];
}

export interface ResponsePlace {
  readonly status: number;
  readonly place: Place;
}

export function operationsIn(root: Place): OperationPlace[] {
  return contractOf(root.document).operations.flatMap(({ operationId, path, method, secured }) => {
    const place = below(root, 'paths', path, method.toLowerCase());
    return place ? [{ operationId, path, secured, place, responses: allBelow(below(place, 'responses')) }] : [];
  });
}

/** The responses of all operations, and the responses beside the operations. */
export function responsesIn(root: Place): ResponsePlace[] {
  const all = [
    ...operationsIn(root).flatMap(({ responses }) => responses),
    ...allBelow(below(root, 'x-responses-beside-operations')),
  ].map(([status, place]) => ({ status: Number(status), place }));
  return once(all, ({ place }) => place);
}

/** The bodies of a request or response, by media type. */
export function contentsIn(place: Place): readonly (readonly [mediaType: string, Place])[] {
  return allBelow(below(place, 'content'));
}

export function requestBodiesIn(root: Place): Place[] {
  return operationsIn(root).flatMap(({ place }) => below(place, 'requestBody') ?? []);
}

/** The parameters of all operations and paths, and those in `components`. */
export function parametersIn(root: Place): Place[] {
  const paths = allBelow(below(root, 'paths')).map(([, item]) => item);
  const operations = operationsIn(root).map(({ place }) => place);
  const holders = [...paths, ...operations, below(root, 'components')];
  return once(
    holders.flatMap((holder) => allBelow(below(holder, 'parameters')).map(([, place]) => place)),
    (place) => place,
  );
}

/** The headers of all responses, and those in `components`. */
export function headersIn(root: Place): Place[] {
  const holders = [...responsesIn(root).map(({ place }) => place), below(root, 'components')];
  return once(
    holders.flatMap((holder) => allBelow(below(holder, 'headers')).map(([, place]) => place)),
    (place) => place,
  );
}

/** The schemas of all bodies, parameters and headers, those in `components`, and every schema inside them. */
export function schemasIn(root: Place): Place[] {
  const bodies = [...responsesIn(root).map(({ place }) => place), ...requestBodiesIn(root)];
  const holders = [...bodies.flatMap((body) => contentsIn(body).map(([, media]) => media)), ...parametersIn(root)];
  const used = [...holders, ...headersIn(root)].flatMap((holder) => below(holder, 'schema') ?? []);
  const components = allBelow(below(root, 'components', 'schemas')).map(([, schema]) => schema);
  return withParts([...used, ...components]);
}

/** The schemas of response bodies, and every schema inside them. */
export function responseSchemasIn(root: Place): Place[] {
  const contents = responsesIn(root).flatMap(({ place }) => contentsIn(place));
  return withParts(contents.flatMap(([, media]) => below(media, 'schema') ?? []));
}

/** The fields of an object schema, by name. */
export function propertiesOf(schema: Place): readonly (readonly [name: string, Place])[] {
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
