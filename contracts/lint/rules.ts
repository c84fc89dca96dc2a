/**
 * The project's rules for openapi.yaml, beyond OpenAPI's own, as a plugin of Redocly: one command checks the whole contract.
 * Each rule is a function from the document to its faults.
 */
import {
  addressOf,
  allBelow,
  below,
  codesOf,
  contractOf,
  errorIn,
  isRecord,
  keyword,
  type MediaType,
  type Place,
  pathValidation,
  queryValidation,
  type Response,
  resolved,
  rootOf,
} from '@product-passport/openapi';
import { bodyReader } from '@product-passport/openapi/body';
import Joi from 'joi';
import { closed, describeError, violationsBy } from '../judge/schema.ts';

interface Fault {
  readonly at: Place;
  readonly message: string;
}

type Rule = (root: Place) => Fault[];

const rules: Readonly<Record<string, Rule>> = {
  'error-narrows-its-codes': errorNarrowsItsCodes,
  'error-example-per-code': errorExamplePerCode,
  'example-fits-schema': exampleFitsSchema,
  'requests-can-be-read': requestsCanBeRead,
  'origin-form': originForm,
};

interface Location {
  child(steps: readonly string[]): Location;
}

interface Context {
  readonly location: Location;
  report(problem: { readonly message: string; readonly location: Location }): void;
}

function asVisitor(rule: Rule) {
  return () => ({
    Root: {
      enter(document: object, context: Context): void {
        for (const { at, message } of rule(rootOf(document))) {
          context.report({ message, location: context.location.child(at.steps) });
        }
      },
    },
  });
}

export default function contractRules() {
  const visitors = Object.entries(rules).map(([name, rule]) => [name, asVisitor(rule)]);
  return { id: 'contract', rules: { oas3: Object.fromEntries(visitors) } };
}

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

/** The schemas are open, but the examples must fit the closed schemas: an example must not show an undocumented field. */
function exampleFitsSchema(root: Place): Fault[] {
  const faultsOf = (media: Place): Fault[] => {
    const { schema } = resolved(media) as MediaType;
    const violations = violationsBy(closed);
    return allBelow(below(media, 'examples')).flatMap(([name, example]) =>
      violations(schema, structuredClone(keyword(example, 'value'))).map((error) => {
        const { where, what } = describeError(error);
        return { at: example, message: `The example ${name} does not fit its closed schema: ${where} ${what}.` };
      }),
    );
  };
  const responses = responsesIn(root).flatMap(({ place }) => contentsIn(place));
  const requests = requestBodiesIn(root).flatMap((place) => contentsIn(place));
  return [...responses, ...requests].flatMap(([, media]) => faultsOf(media));
}

/** The server and the fake service make these readers when they start, and stop at a keyword that none of them has. */
function requestsCanBeRead(root: Place): Fault[] {
  return contractOf(root.document).operations.flatMap(({ path, method, parameters, body, side, codes }) => {
    const at = below(root, 'paths', path, method.toLowerCase()) ?? root;
    const readers = [
      () => queryValidation(parameters, side.secured),
      () => pathValidation(parameters),
      () => body && bodyReader(Joi, body.schema, codes),
    ];
    return readers.flatMap((read): Fault[] => {
      try {
        read();
        return [];
      } catch (error) {
        return [{ at, message: (error as Error).message.replace('openapi.yaml: ', '') }];
      }
    });
  });
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
  return errorIn(body)?.code;
}

function operationsIn(root: Place): Place[] {
  return contractOf(root.document).operations.flatMap(
    ({ path, method }) => below(root, 'paths', path, method.toLowerCase()) ?? [],
  );
}

/** The responses of all operations, and those of no operation. */
function responsesIn(root: Place): { readonly status: number; readonly place: Place }[] {
  const beside = allBelow(below(root, 'x-responses-beside-operations'));
  const all = [
    ...operationsIn(root).flatMap((place) => allBelow(below(place, 'responses'))),
    ...beside.flatMap(([key, place]) => (key.startsWith('/') ? allBelow(place) : [[key, place] as const])),
  ];
  const byAddress = new Map(all.map(([status, place]) => [addressOf(place), { status: Number(status), place }]));
  return [...byAddress.values()];
}

/** The bodies of a request or response, by media type. */
function contentsIn(place: Place): readonly (readonly [mediaType: string, Place])[] {
  return allBelow(below(place, 'content'));
}

function requestBodiesIn(root: Place): Place[] {
  return operationsIn(root).flatMap((place) => below(place, 'requestBody') ?? []);
}
