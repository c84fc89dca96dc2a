/**
 * The marks (`x-origin: reference`) that openapi.yaml does not repeat at each response. Those of errors follow from the
 * codes that `Error` marks. The service's own description names no public errors, and one header.
 */

import type { Header, MediaType, Response, Schema } from './elements.ts';
import { below, keyword, mapValues, member, type Place } from './place.ts';

const reference = 'reference';
const describedHeader = 'Location';

/** The error codes that the schema `Error` lists without a mark. */
export function describedCodesIn(root: Place): readonly string[] {
  const code = below(root, 'components', 'schemas', 'Error', 'properties', 'error', 'properties', 'code');
  const known = code && keyword(code, 'x-extensible-enum');
  const marks = code && keyword(code, 'x-origin');
  return Array.isArray(known) ? known.filter((one) => member(marks, one) !== reference) : [];
}

/** The error codes of a response in the order of the contract, which is the order of the server's checks. */
export function codesOf(response: Response | undefined): string[] {
  return Object.values(response?.content ?? {}).flatMap(({ schema }) => {
    const code = schema.properties?.error?.properties?.code;
    return (code?.enum ?? [code?.const]).filter((value) => typeof value === 'string');
  });
}

/** Marks the headers of a response. */
export function withMarkedHeaders(response: Response): Response {
  if (response.headers === undefined) return response;
  const headers = Object.entries(response.headers).map(([name, header]): [string, Header] => [
    name,
    name === describedHeader ? header : { ...header, 'x-origin': reference },
  ]);
  return { ...response, headers: Object.fromEntries(headers) };
}

/**
 * Marks an error: its headers, its status unless one of its codes is described, each code that is not described, and the body of a
 * public error.
 */
export function markedError(response: Response, isSecured: boolean, described: readonly string[]): Response {
  const isDescribed = isSecured && codesOf(response).some((code) => described.includes(code));
  const marked = (media: unknown): MediaType => ({
    ...(media as MediaType),
    schema: withMarkedCodes((media as MediaType).schema, described),
    ...(isSecured ? {} : { 'x-origin': reference }),
  });
  return {
    ...withMarkedHeaders(response),
    ...(isDescribed ? {} : { 'x-origin': reference }),
    ...(response.content === undefined ? {} : { content: mapValues(response.content, marked) }),
  };
}

function withMarkedCodes(schema: Schema, described: readonly string[]): Schema {
  const { error } = schema.properties ?? {};
  const { code } = error?.properties ?? {};
  const own = [code?.enum ?? [code?.const]].flat().filter((one) => typeof one === 'string' && !described.includes(one));
  if (error === undefined || own.length === 0) return schema;
  const marks = Object.fromEntries(own.map((one) => [code?.enum === undefined ? 'const' : one, reference]));
  const properties = { ...error.properties, code: { ...code, 'x-origin': marks } };
  return { ...schema, properties: { ...schema.properties, error: { ...error, properties } } };
}
