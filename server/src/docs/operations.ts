/** The section of each operation. */

import {
  below,
  type ContractNode,
  codesOf,
  errorIn,
  keyword,
  type Operation,
  type OperationId,
  type Response,
} from '@product-passport/openapi';
import { curlExample, jsonText, sdkExample } from './examples.ts';
import { type Describe, type Field, fieldsOf, inline, parameterOf, typeOf } from './fields.ts';
import { groupsPage } from './links.ts';
import { code, escaped } from './markdown.ts';

/** The content of an operation's section. Types, descriptions and codes are HTML. */
export type Section = ReturnType<typeof sectionOf>;

/** An operation and its node in the contract. */
export interface Described {
  operation: Operation;
  node: ContractNode;
}

/** The pages that belong to an operation, in addition to its own section. */
const furtherPages: Partial<Record<OperationId, { page: string; text: string }[]>> = {
  createProduct: [{ page: groupsPage, text: 'All product groups and their fields' }],
  putPassport: [{ page: groupsPage, text: 'The fields of each product group, with a body that completes a passport' }],
};

export function sectionOf({ operation, node }: Described, all: readonly Described[], about: About) {
  const { operationId: id, method, path, side, responses } = operation;
  const { describe, siteUrl, pageAddress } = about;
  const sdk = sdkExample(operation);
  return {
    id,
    method,
    path,
    // As HTML, in which a long path breaks before a slash.
    breakable: escaped(path).replaceAll('/', '<wbr>/'),
    summary: String(keyword(node, 'summary')),
    description: describe.markdown(String(keyword(node, 'description') ?? '')),
    secured: side.secured,
    parameters: parametersOf({ operation, node }, about),
    body: bodyOf(node, describe),
    responses: Object.entries(responses).map(([status, response]) => responseOf(status, response, node, about)),
    calls: [
      { title: 'curl', text: curlExample(operation, siteUrl) },
      ...(sdk === undefined ? [] : [{ title: 'JavaScript (SDK)', text: sdk }]),
    ],
    // The bodies of responses.
    bodies: [...examplesOf(responses['200']), ...errorsOf(responses)],
    // Where else to read on.
    more: (furtherPages[id] ?? []).map(({ page, text }) => ({ href: pageAddress(page), text })),
    // Other paths that behave the same.
    variants: all
      .filter(({ operation: { variantOf } }) => variantOf === id)
      .map((variant) => ({
        id: variant.operation.operationId,
        path: variant.operation.path,
        summary: String(keyword(variant.node, 'summary')),
      })),
  };
}

/** What every section needs. */
export interface About {
  root: ContractNode;
  describe: Describe;
  /** The address in the examples. */
  siteUrl: string;
  /** The address of an error code's entry. */
  addressOfCode: (code: string) => string;
  pageAddress: (page: string) => string;
}

/** The parameters in the order of `Operation.parameters`, as they are written. */
function parametersOf({ operation, node }: Described, { root, describe }: About): Field[] {
  const shared = below(root, 'paths', operation.path, 'parameters');
  const written = [node, shared].flatMap((from) => parametersBelow(from));
  return operation.parameters.flatMap(({ name, in: where }) => {
    const found = written.find((one) => keyword(one, 'name') === name && keyword(one, 'in') === where);
    return found ? [parameterOf(found, describe)] : [];
  });
}

function parametersBelow(from: ContractNode | undefined): ContractNode[] {
  const list = from && (Array.isArray(from.value) ? from : below(from, 'parameters'));
  if (!list || !Array.isArray(list.value)) return [];
  return list.value.flatMap((_parameter, index) => below(list, String(index)) ?? []);
}

function bodyOf(node: ContractNode, describe: Describe) {
  const schema = below(node, 'requestBody', 'content', 'application/json', 'schema');
  if (!schema) return undefined;
  const most = keyword(schema, 'maxItems');
  return {
    type: typeOf(schema, describe),
    fields: fieldsOf(below(schema, 'items') ?? schema, describe),
    limits: most === undefined ? [] : [`an array of at most ${Number(most).toLocaleString('en')} elements`],
  };
}

function responseOf(status: string, response: Response, node: ContractNode, about: About) {
  const { describe, addressOfCode } = about;
  const written = below(node, 'responses', status);
  return {
    status,
    description: inline(describe.markdown, String(written ? keyword(written, 'description') : '').trim()),
    types: Object.keys(response.content ?? {}).map((type) => {
      const schema = below(written, 'content', type, 'schema');
      return `${schema && status === '200' ? `${typeOf(schema, describe)} as ` : ''}${code(type)}`;
    }),
    codes: codesOf(response).map((one) => `<a href="${escaped(addressOfCode(one))}">${code(one)}</a>`),
  };
}

/** The bodies of the errors, by status. */
function errorsOf(responses: Operation['responses']) {
  return Object.entries(responses).flatMap(([status, { content = {} }]) => {
    const examples = status < '400' ? [] : Object.values(content['application/json']?.examples ?? {});
    return examples.map(({ value }) => {
      const { code: name = '' } = errorIn(value) ?? {};
      return { title: `${status} · ${name}`, text: jsonText(value) };
    });
  });
}

/** The examples of a response, the first one first. */
function examplesOf(response: Response | undefined) {
  return Object.entries(response?.content ?? {}).flatMap(([type, { examples = {} }]) =>
    Object.values(examples).map(({ value, summary }) => ({
      title: `200 · ${summary ?? type}`,
      text: typeof value === 'string' ? value : jsonText(value),
    })),
  );
}
