/**
 * The project's rules for openapi.yaml, beyond OpenAPI's own, as a plugin of Redocly: one command checks the whole contract.
 * Each rule is a function from the document to its faults.
 */
import {
  allBelow,
  below,
  type ContractNode,
  codesOf,
  contractOf,
  errorIn,
  isRecord,
  keyword,
  type MediaType,
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
  readonly at: ContractNode;
  readonly message: string;
}

type Rule = (root: ContractNode) => Fault[];

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
function errorNarrowsItsCodes(root: ContractNode): Fault[] {
  return jsonErrorsIn(root).flatMap(({ media, codes }) => {
    const message = 'The schema of an error must list its codes: give error.code a const or an enum.';
    return codes.length > 0 ? [] : [{ at: below(media, 'schema') ?? media, message }];
  });
}

/** With a mock server, a client requests an example by its name, which is the code. */
function errorExamplePerCode(root: ContractNode): Fault[] {
  return jsonErrorsIn(root).flatMap(({ media, codes }) => {
    const examples = allBelow(below(media, 'examples'));
    const missing = codes.filter((code) => !examples.some(([name]) => name === code));
    const misnamed = examples.filter(
      ([name, { value }]) => name !== errorIn(isRecord(value) ? value.value : undefined)?.code,
    );
    return [
      ...missing.map((code) => ({ at: media, message: `The code ${code} needs an example with this name.` })),
      ...misnamed.map(([name, at]) => ({ at, message: `The example ${name} must have the name of its error code.` })),
    ];
  });
}

/** The schemas are open, but the examples must fit the closed schemas: an example must not show an undocumented field. */
function exampleFitsSchema(root: ContractNode): Fault[] {
  const faultsOf = (media: ContractNode): Fault[] => {
    const { schema } = resolved(media) as MediaType;
    const violations = violationsBy(closed);
    return allBelow(below(media, 'examples')).flatMap(([name, example]) =>
      violations(schema, structuredClone(keyword(example, 'value'))).map((error) => {
        const { where, what } = describeError(error);
        return { at: example, message: `The example ${name} does not fit its closed schema: ${where} ${what}.` };
      }),
    );
  };
  const responses = responsesIn(root).flatMap(({ node }) => contentsIn(node));
  const requests = operationsIn(root).flatMap((node) => contentsIn(below(node, 'requestBody')));
  return [...responses, ...requests].flatMap(([, media]) => faultsOf(media));
}

/** The server and the fake service make these readers when they start, and stop at a keyword that none of them has. */
function requestsCanBeRead(root: ContractNode): Fault[] {
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
function originForm(root: ContractNode): Fault[] {
  return marked(root).flatMap(({ node, origin }): Fault[] => {
    if (origin === 'reference') return [];
    const at = below(node, 'x-origin') ?? node;
    if (!isRecord(origin) || Object.keys(origin).length === 0) {
      return [{ at, message: 'x-origin must be `reference`, or an object whose values are all `reference`.' }];
    }
    return Object.entries(origin).flatMap(([mark, who]) => {
      if (who !== 'reference') return [{ at, message: `x-origin.${mark} must be \`reference\`.` }];
      const values = ['enum', 'x-extensible-enum', 'required'].flatMap((name) => keyword(node, name));
      const known = below(node, ...mark.split('.')) !== undefined || values.includes(mark);
      return known
        ? []
        : [{ at, message: `x-origin names ${mark}, but its schema has no such keyword, value or required field.` }];
    });
  });
}

/** Every node with `x-origin`, except inside examples, which are data. */
function marked(node: ContractNode): { readonly node: ContractNode; readonly origin: unknown }[] {
  if (typeof node.value !== 'object' || node.value === null) return [];
  const origin = keyword(node, 'x-origin');
  const here = origin === undefined ? [] : [{ node, origin }];
  // Without following references, so that each node is listed once.
  const inside = Object.entries(node.value)
    .filter(([name]) => !['example', 'examples', 'x-origin'].includes(name))
    .flatMap(([name, value]) => marked({ document: node.document, steps: [...node.steps, name], value }));
  return [...here, ...inside];
}

function jsonErrorsIn(root: ContractNode): { readonly media: ContractNode; readonly codes: readonly string[] }[] {
  return responsesIn(root)
    .filter(({ status }) => status >= 400)
    .flatMap(({ node }) =>
      contentsIn(node)
        .filter(([mediaType]) => mediaType === 'application/json')
        .map(([, media]) => ({ media, codes: codesOf(resolved(node) as Response) })),
    );
}

function operationsIn(root: ContractNode): ContractNode[] {
  return contractOf(root.document).operations.flatMap(
    ({ path, method }) => below(root, 'paths', path, method.toLowerCase()) ?? [],
  );
}

/** The responses of all operations, and those of no operation. */
function responsesIn(root: ContractNode): { readonly status: number; readonly node: ContractNode }[] {
  const beside = allBelow(below(root, 'x-responses-beside-operations'));
  const all = [
    ...operationsIn(root).flatMap((node) => allBelow(below(node, 'responses'))),
    ...beside.flatMap(([key, node]) => (key.startsWith('/') ? allBelow(node) : [[key, node] as const])),
  ];
  const once = new Map(all.map(([status, node]) => [JSON.stringify(node.steps), { status: Number(status), node }]));
  return [...once.values()];
}

/** The bodies of a request or response, by media type. */
function contentsIn(node: ContractNode | undefined): readonly (readonly [mediaType: string, ContractNode])[] {
  return allBelow(below(node, 'content'));
}
