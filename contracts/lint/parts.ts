/** The parts of the contract that the rules speak of. Each place is given once, however often it is referred to. */
import { isRecord } from '../judge/contract.ts';
import { addressOf, allBelow, below, keyword, type Place } from './place.ts';

export interface OperationPlace {
  readonly operationId: string;
  readonly secured: boolean;
  readonly place: Place;
  readonly responses: readonly (readonly [status: string, Place])[];
}

export interface ResponsePlace {
  readonly status: number;
  readonly place: Place;
}

const methods = new Set(['get', 'put', 'post', 'delete', 'options', 'head', 'patch', 'trace']);

export function operationsIn(root: Place): OperationPlace[] {
  return allBelow(below(root, 'paths')).flatMap(([, item]) =>
    allBelow(item)
      .filter(([method]) => methods.has(method))
      .map(([, place]) => {
        const security = keyword(place, 'security') ?? keyword(root, 'security');
        return {
          operationId: String(keyword(place, 'operationId')),
          secured: Array.isArray(security) && security.length > 0,
          place,
          responses: allBelow(below(place, 'responses')),
        };
      }),
  );
}

/** The responses of all operations, and those beside them. */
export function responsesIn(root: Place): ResponsePlace[] {
  const all = [
    ...operationsIn(root).flatMap(({ responses }) => responses),
    ...allBelow(below(root, 'x-responses-beside-operations')),
  ].map(([status, place]) => ({ status: Number(status), place }));
  return once(all, ({ place }) => place);
}

/** The bodies of a response or request, by media type. */
export function contentsIn(place: Place | undefined): readonly (readonly [mediaType: string, Place])[] {
  return place === undefined ? [] : allBelow(below(place, 'content'));
}

export function requestBodiesIn(root: Place): Place[] {
  return operationsIn(root).flatMap(({ place }) => below(place, 'requestBody') ?? []);
}

/** The parameters of all operations and paths, and those kept for them. */
export function parametersIn(root: Place): Place[] {
  const paths = allBelow(below(root, 'paths')).map(([, item]) => item);
  const operations = operationsIn(root).map(({ place }) => place);
  const components = below(root, 'components');
  const holders = [...paths, ...operations, ...(components === undefined ? [] : [components])];
  return once(
    holders.flatMap((holder) => allBelow(below(holder, 'parameters')).map(([, place]) => place)),
    (place) => place,
  );
}

/** The headers of all responses, and those kept for them. */
export function headersIn(root: Place): Place[] {
  const holders = [...responsesIn(root).map(({ place }) => place), below(root, 'components')];
  return once(
    holders.flatMap((holder) => (holder === undefined ? [] : allBelow(below(holder, 'headers')).map(([, at]) => at))),
    (place) => place,
  );
}

/** The schemas of all bodies, parameters and headers, those kept for them, and every schema inside. */
export function schemasIn(root: Place): Place[] {
  const bodies = [...responsesIn(root).map(({ place }) => place), ...requestBodiesIn(root)];
  const holders = [...bodies.flatMap((body) => contentsIn(body).map(([, media]) => media)), ...parametersIn(root)];
  const used = [...holders, ...headersIn(root)].flatMap((holder) => below(holder, 'schema') ?? []);
  const kept = allBelow(below(root, 'components', 'schemas')).map(([, schema]) => schema);
  return withParts([...used, ...kept]);
}

/** The schemas of response bodies and every schema inside. */
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
