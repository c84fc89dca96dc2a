/** What this contract promises beyond being good OpenAPI: one function a rule, from the document to its faults. */
import {
  codesOf,
  describedCodes,
  isRecord,
  member,
  type Response,
  type Schema,
  withoutReferences,
} from '../judge/contract.ts';
import { closed, compile, describeError, errorsOf, type Reading, readSchema } from '../judge/schema.ts';
import {
  contentsIn,
  headersIn,
  operationsIn,
  parametersIn,
  propertiesOf,
  requestBodiesIn,
  responseSchemasIn,
  responsesIn,
  schemasIn,
} from './parts.ts';
import { allBelow, below, keyword, type Place } from './place.ts';

interface Fault {
  readonly at: Place;
  readonly message: string;
}

export type Rule = (root: Place) => Fault[];

const besideOperations = ['405', '408', '431'];

/** What the service's own description never says of a field. */
const undescribedKeywords = ['minLength', 'maxLength', 'minItems', 'x-clamp', 'x-max-depth', 'x-max-nodes', 'x-trim'];

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
  'origin-of-errors': originOfErrors,
  'origin-of-limits': originOfLimits,
};

/** A shared error with a plain string for its code would let a 404 pass that says `invalid_json`. */
function errorNarrowsItsCodes(root: Place): Fault[] {
  return jsonErrorsIn(root).flatMap(({ media, codes }) => {
    const message = 'An error names its codes: error.code needs a const or an enum.';
    return codes.length > 0 ? [] : [{ at: below(media, 'schema') ?? media, message }];
  });
}

/** Whoever mocks from the contract can ask for each code by its name. */
function errorExamplePerCode(root: Place): Fault[] {
  return jsonErrorsIn(root).flatMap(({ media, codes }) => {
    const examples = allBelow(below(media, 'examples'));
    const missing = codes.filter((code) => !examples.some(([name]) => name === code));
    const misnamed = examples.filter(([name, { value }]) => name !== codeIn(isRecord(value) ? value.value : undefined));
    return [
      ...missing.map((code) => ({ at: media, message: `The code ${code} needs an example of this name.` })),
      ...misnamed.map(([name, at]) => ({ at, message: `The example ${name} is to be named by the code that it has.` })),
    ];
  });
}

/** A mock answers with examples; without one it would make up text that fits nothing. */
function responseHasExample(root: Place): Fault[] {
  return responsesIn(root).flatMap(({ place }) =>
    contentsIn(place)
      .filter(([, media]) => allBelow(below(media, 'examples')).length === 0)
      .map(([mediaType, at]) => ({ at, message: `${mediaType} needs a named example.` })),
  );
}

/** The schemas are open for growth; what is shown here has to fit them closed, or a reader learns fields by mistake. */
function exampleFitsSchema(root: Place): Fault[] {
  const plain = withoutReferences(root.root);
  const faultsOf = (media: Place, reading: Reading): Fault[] => {
    const schema = media.steps.concat('schema').reduce<unknown>((node, step) => member(node, step), plain);
    const check = compile(readSchema(schema as Schema, reading));
    return allBelow(below(media, 'examples')).flatMap(([name, example]) =>
      errorsOf(check, structuredClone(keyword(example, 'value'))).map((error) => {
        const { where, what } = describeError(error);
        return { at: example, message: `The example ${name} does not fit its closed schema: ${where} ${what}.` };
      }),
    );
  };
  const answers = responsesIn(root).flatMap(({ place }) => contentsIn(place));
  const requests = requestBodiesIn(root).flatMap((place) => contentsIn(place));
  return [...answers, ...requests].flatMap(([, media]) => faultsOf(media, closed));
}

/** What is public and has no value in its path is the same for everybody: it reads nothing that could fail. */
function operationDocumentsFailures(root: Place): Fault[] {
  return operationsIn(root).flatMap(({ operationId, secured, place, responses }) => {
    const isFixed = place.steps[1]?.includes('{') === false;
    const needed = secured ? ['401', '500'] : isFixed ? [] : ['500'];
    return needed
      .filter((status) => !responses.some(([documented]) => documented === status))
      .map((status) => ({ at: below(place, 'responses') ?? place, message: `${operationId} documents no ${status}.` }));
  });
}

/** They belong to a path or to the server: at an operation they would promise what its handler cannot do. */
function errorsBesideOperations(root: Place): Fault[] {
  const missing = besideOperations
    .filter((status) => below(root, 'x-responses-beside-operations', status) === undefined)
    .map((status) => ({
      at: below(root, 'x-responses-beside-operations') ?? root,
      message: `${status} has to be listed in x-responses-beside-operations.`,
    }));
  const misplaced = operationsIn(root).flatMap(({ operationId, place, responses }) =>
    responses
      .filter(([status]) => besideOperations.includes(status))
      .map(([status]) => ({
        at: below(place, 'responses') ?? place,
        message: `${status} belongs beside the operations, not to ${operationId}.`,
      })),
  );
  return [...missing, ...misplaced];
}

function everythingDescribed(root: Place): Fault[] {
  const named = [
    ...schemasIn(root).flatMap((schema) => propertiesOf(schema)),
    ...parametersIn(root).map((place) => [String(keyword(place, 'name')), place] as const),
    ...headersIn(root).map((place) => [place.steps.at(-1) ?? '', place] as const),
  ];
  return named
    .filter(([, place]) => typeof keyword(place, 'description') !== 'string')
    .map(([name, at]) => ({ at, message: `${name} needs a description.` }));
}

/** With `minimum` and `maximum` a mock would refuse what the service moves to the nearest bound. */
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
      if (bounds.length > 0) return [{ at: schema, message: `${name} is clamped: x-clamp instead of ${bounds}.` }];
      const clamp = keyword(schema, 'x-clamp');
      const { minimum, maximum } = isRecord(clamp) ? clamp : {};
      const inOrder = typeof minimum === 'number' && typeof maximum === 'number' && minimum <= maximum;
      return inOrder ? [] : [{ at: schema, message: `${name} needs an x-clamp with minimum and maximum.` }];
    });
}

/** Without `required`, an answer that lacks every field would fit. */
function responseObjectRequires(root: Place): Fault[] {
  return responseSchemasIn(root)
    .filter((schema) => keyword(schema, 'type') === 'object' || keyword(schema, 'properties') !== undefined)
    .filter((schema) => allBelow(below(schema, 'required')).length === 0)
    .map((at) => ({ at, message: 'An object in a response names the fields that are always there: required.' }));
}

/** `reference`, or the marks of single keywords or values of the schema it stands in. */
function originForm(root: Place): Fault[] {
  return marked(root).flatMap(({ place, origin }): Fault[] => {
    if (origin === 'reference') return [];
    const at = below(place, 'x-origin') ?? place;
    if (!isRecord(origin) || Object.keys(origin).length === 0) {
      return [{ at, message: 'x-origin is `reference`, or an object of keywords that are each `reference`.' }];
    }
    return Object.entries(origin).flatMap(([mark, who]) => {
      if (who !== 'reference') return [{ at, message: `x-origin: ${mark} has to be \`reference\`.` }];
      const values = ['enum', 'x-extensible-enum', 'required'].flatMap((name) => keyword(place, name));
      const known = below(place, ...mark.split('.')) !== undefined || values.includes(mark);
      return known ? [] : [{ at, message: `x-origin names ${mark}, which is no keyword or value here.` }];
    });
  });
}

/** A provider must not be held to a code, a status or a public error's form that its description does not have. */
function originOfErrors(root: Place): Fault[] {
  const codes = jsonErrorsIn(root).flatMap(({ media, codes }) => {
    const at = below(media, 'schema', 'properties', 'error', 'properties', 'code') ?? media;
    return codes.flatMap((code) => {
      const own = [code, 'const', 'enum'].some((name) => marks(at, name));
      if (own !== describedCodes.includes(code)) return [];
      const message = own ? `${code} is the description's own: no x-origin.` : `${code} needs x-origin: reference.`;
      return [{ at, message }];
    });
  });
  const codesIn = codeReader(root);
  const statuses = operationsIn(root).flatMap(({ operationId, secured, responses }) =>
    responses
      .filter(([status]) => Number(status) >= 400)
      .flatMap(([status, place]): Fault[] => {
        const codes = codesIn(place);
        if (secured && codes.length === 0) return [];
        const described = secured && codes.some((code) => describedCodes.includes(code));
        if (described === marks(place)) {
          const message = described ? "is the description's own: no x-origin" : 'needs x-origin: reference';
          return [{ at: place, message: `The ${status} of ${operationId} ${message}.` }];
        }
        const forms = secured ? [] : contentsIn(place).filter(([, media]) => !marks(media));
        return forms.map(([type, at]) => ({ at, message: `A public error's ${type} needs x-origin: reference.` }));
      }),
  );
  return [...codes, ...statuses];
}

/** Lengths, depths and clamps are all ours; an unmarked one would hold every provider to it. */
function originOfLimits(root: Place): Fault[] {
  const whole = marked(root).flatMap(({ place, origin }) => (origin === 'reference' ? [place.steps] : []));
  const isInside = ({ steps }: Place) => whole.some((outer) => outer.every((step, index) => step === steps[index]));
  return schemasIn(root)
    .filter((schema) => !isInside(schema))
    .flatMap((at) =>
      undescribedKeywords
        .filter((name) => keyword(at, name) !== undefined && !marks(at, name))
        .map((name) => ({ at, message: `${name} needs a mark: x-origin: { ${name}: reference }.` })),
    );
}

/** Whether a node is marked: whole, or the keyword or value that is named. */
function marks(place: Place, name = ''): boolean {
  const origin = keyword(place, 'x-origin');
  return origin === 'reference' || member(origin, name) === 'reference';
}

/** Every node that carries `x-origin`, examples aside: those are data. */
function marked(place: Place): { readonly place: Place; readonly origin: unknown }[] {
  if (typeof place.value !== 'object' || place.value === null) return [];
  const origin = keyword(place, 'x-origin');
  const here = origin === undefined ? [] : [{ place, origin }];
  // By the written tree, not through references: each node once.
  const inside = Object.entries(place.value)
    .filter(([name]) => !['example', 'examples', 'x-origin'].includes(name))
    .flatMap(([name, value]) => marked({ root: place.root, steps: [...place.steps, name], value }));
  return [...here, ...inside];
}

/** The codes of a response, by the document without references: making it for each response would take seconds. */
function codeReader(root: Place): (response: Place) => readonly string[] {
  const plain = withoutReferences(root.root);
  return ({ steps }) => codesOf(steps.reduce<unknown>((node, step) => member(node, step), plain) as Response);
}

function jsonErrorsIn(root: Place): { readonly media: Place; readonly codes: readonly string[] }[] {
  const codesIn = codeReader(root);
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
