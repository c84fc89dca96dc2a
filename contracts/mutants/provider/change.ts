/**
 * The kinds of change that wrong and unusual providers are made of. Each changes one thing of a correct provider and
 * passes everything else on.
 */
import { isRecord } from '@product-passport/openapi';
import type { CreateProduct } from '@product-passport/sdk';
import { at, Call, type Element, headersWith, jsonOf, type Route, type Service } from './call.ts';

export type Handler = (request: Request) => Promise<Response>;
export type Change = (service: Service) => Handler;

/** Responds in place of the provider, unless the function returns `undefined`. */
export function instead(route: Route, respond: (call: Call) => Made): Change {
  return (service) => async (request) => {
    const call = new Call(request, service);
    return (call.isAt(route) ? await respond(call) : undefined) ?? call.send();
  };
}

type Made = Promise<Response | undefined> | Response | undefined;
type When = (call: Call) => boolean | Promise<boolean>;

// Changes of the request.

type Asked = Promise<Call | undefined> | Call | undefined;

/** Changes the request before the provider receives it. */
export function asks(route: Route, change: (call: Call) => Asked): Change {
  return instead(route, async (call) => (await change(call))?.send());
}

/** The provider takes the request for one of the first tenant. */
export function asFirstTenant(route: Route, when: When): Change {
  return asks(route, async (call) => ((await when(call)) ? call.with({ key: call.keys[0] }) : undefined));
}

/** Sets, or removes with `null`, a header of the request. */
export function asksWith(route: Route, name: string, value: string | null): Change {
  return asks(route, (call) => call.with({ headers: { [name]: value } }));
}

/** Reads another value of a query parameter. `null` removes it. */
export function parameter(
  route: Route,
  name: string,
  change: (value: string | null, call: Call) => string | null,
): Change {
  return asks(route, (call) => call.with({ query: { [name]: change(call.query.get(name), call) } }));
}

/** Reads a query parameter as if it were not there. */
export function ignores(route: Route, name: string, when: (value: string, call: Call) => boolean = () => true) {
  return parameter(route, name, (value, call) => (value !== null && when(value, call) ? null : value));
}

/** Reads another text in place of the body. */
export function reads(routes: readonly Route[], change: (text: string) => string): Change {
  return asks(at.everywhere, async (call) => {
    if (call.request.body === null && !['POST', 'PUT'].includes(call.method)) return undefined;
    if (!routes.some((route) => call.isAt(route))) return undefined;
    const text = await call.text();
    const changed = change(text);
    return changed === text ? undefined : call.with({ text: changed });
  });
}

/** Reads other JSON in place of the body, unless the body is not JSON. */
export function readsJson(route: Route, change: (body: never) => unknown): Change {
  return asks(route, async (call) => {
    const body = await call.json();
    return body === undefined ? undefined : call.withJson(change(body as never));
  });
}

/** Reads a creation with other members. `undefined` removes a member. */
export function created(change: (body: CreateProduct) => Members<CreateProduct>): Change {
  return readsJson(at.create, (body) => (isRecord(body) ? { ...(body as object), ...change(body) } : body));
}

/** Reads another text for a member of a creation. `undefined` removes the member. */
export function createdText(name: keyof CreateProduct, change: (text: string) => string | null | undefined): Change {
  return created(({ [name]: value }) => (typeof value === 'string' ? { [name]: change(value) } : {}));
}

/** Reads other elements of a write. */
export function written(change: (elements: readonly (Element | null)[]) => readonly unknown[]): Change {
  return readsJson(at.write, (body: unknown) => (Array.isArray(body) ? change(body) : body));
}

/** Reads each element of a write with other members. `undefined` removes a member. */
export function eachWritten(change: (element: Element) => Members<Element>): Change {
  return written((elements) => elements.map((one) => (isRecord(one) ? { ...(one as object), ...change(one) } : one)));
}

/** Notes a request before the provider receives it. */
export function notes(route: Route, note: (call: Call) => unknown): Change {
  return asks(route, async (call) => {
    await note(call);
    return undefined;
  });
}

// Changes of the response.

/** Changes the response, unless the change returns `undefined`. */
export function responds(route: Route, change: (response: Response, call: Call) => Made): Change {
  return instead(route, async (call) => {
    const response = await call.send();
    return (await change(response, call)) ?? response;
  });
}

/** Changes a response with this status, unless the change returns `undefined`. */
export function onStatus(route: Route, status: number, change: (response: Response, call: Call) => Made): Change {
  return responds(route, (response, call) => (response.status === status ? change(response, call) : undefined));
}

/** Carries out another request after a response with this status. */
export function also(route: Route, status: number, ask: (call: Call) => Asked): Change {
  return onStatus(route, status, async (_, call) => {
    await (await ask(call))?.send();
    return undefined;
  });
}

/** Sends the response to another request in place of one with this status. */
export function again(route: Route, status: number, other: (call: Call) => Asked): Change {
  return onStatus(route, status, async (_, call) => (await other(call))?.send());
}

/** Refuses what the provider accepts, or refuses it otherwise. */
export function refuses(route: Route, status: number, code: string, when: When, message?: string): Change {
  return instead(route, async (call) => ((await when(call)) ? error(status, code, message) : undefined));
}

/** Refuses a creation. A body that is not an object has no members. */
export function refusesCreation(status: number, code: string, when: (body: Partial<CreateProduct>) => boolean): Change {
  return refuses(at.create, status, code, async (call) => when(await call.creation()));
}

/** Sends an error with another status, and, if named, another code and message. */
export function errors(route: Route, code: string, status: number, other?: string, message?: string): Change {
  return errorsInto(route, code, (response) =>
    other === undefined ? withStatus(response, status) : error(status, other, message),
  );
}

/** Sends another response in place of the error with this code. */
export function errorsInto(route: Route, code: string, change: (response: Response, call: Call) => Made): Change {
  return responds(route, async (response, call) => {
    const body = response.status < 400 ? undefined : Object(await jsonOf(response));
    return body?.error?.code === code ? change(response, call) : undefined;
  });
}

/** Sends another status in place of this one. */
export function status(route: Route, from: number, to: number): Change {
  return onStatus(route, from, (response) => withStatus(response, to));
}

/** Sends a header, or with `null` leaves it out. The function returns the value of each response. */
export function header(
  route: Route,
  name: string,
  value: string | null | ((value: string | null, call: Call) => string | null),
): Change {
  return responds(route, (response, call) => {
    const own = response.headers.get(name);
    const other = typeof value === 'function' ? value(own, call) : value;
    return other === own ? response : withHeader(response, name, other);
  });
}

/** Sends another text in place of a body with status 200. */
export function text(route: Route, change: (text: string, call: Call) => string | Promise<string>): Change {
  return onStatus(route, 200, async (response, call) => withBody(response, await change(await response.text(), call)));
}

/** Sends other JSON in place of that with this status. */
export function json<Body>(route: Route<Body>, change: (body: Body, call: Call) => unknown, status = 200): Change {
  return onStatus(route, status, async (response, call) =>
    withBody(response, JSON.stringify(await change(await response.json(), call))),
  );
}

type Members<Body> = { readonly [Name in keyof Body]?: unknown };

/** Sends other members of the body. `undefined` leaves a member out. */
export function members<Body>(
  route: Route<Body>,
  change: Members<Body> | ((body: Body, call: Call) => Members<Body> | Promise<Members<Body>>),
): Change {
  return json(route, async (body, call) => ({
    ...body,
    ...(typeof change === 'function' ? await change(body, call) : change),
  }));
}

/** Sends other members of the body, from the body of the response to another request. */
export function membersWith<Body, Other = Body>(
  route: Route<Body>,
  ask: (call: Call) => Call,
  change: (own: Body, other: Other) => Members<Body>,
): Change {
  return members(route, async (own, call) => change(own, await ask(call).reply<Other>()));
}

/** Sends other members of each element of an array in the body. `undefined` leaves a member out. */
export function each<Body, Name extends keyof Body>(
  route: Route<Body>,
  name: Name,
  change: (element: ElementOf<Body[Name]>) => Members<ElementOf<Body[Name]>>,
): Change {
  const changed = (one: ElementOf<Body[Name]>) => ({ ...Object(one), ...change(one) });
  return elements(route, name, (all) => (all as ElementOf<Body[Name]>[]).map(changed));
}

type ElementOf<List> = List extends readonly (infer One)[] ? One : never;

/** Sends other elements of an array in the body. */
export function elements<Body, Name extends keyof Body>(
  route: Route<Body>,
  name: Name,
  change: (elements: Body[Name], call: Call) => readonly unknown[],
): Change {
  return json(route, (body, call) => ({ ...body, [name]: change(body[name], call) }));
}

// Several changes, and changes with a memory.

/** All changes in one provider. The first is the innermost. */
export function together(changes: readonly Change[]): Change {
  return (service) => {
    let { fetch } = service;
    for (const change of changes) fetch = change({ ...service, fetch }) as Service['fetch'];
    return fetch;
  };
}

/** Changes that share a memory, which is empty when a run begins. */
export function remembers<Value, Key = unknown>(changes: (memory: Map<Key, Value>) => Change | readonly Change[]) {
  return (service: Service): Handler => together([changes(new Map())].flat())(service);
}

/** The first value that was kept with this key. */
export function kept<Key, Value>(memory: Map<Key, Value>, key: Key, value: Value): Value {
  if (!memory.has(key)) memory.set(key, value);
  return memory.get(key) as Value;
}

/** Changes that share a counter, which is 0 when a run begins. */
export function counts(changes: (counter: Counter) => Change | readonly Change[]): Change {
  return (service) => together([changes(new Counter())].flat())(service);
}

class Counter {
  value = 0;

  next(): number {
    this.value += 1;
    return this.value;
  }
}

// Responses.

export function error(status: number, code: string, message = 'The request failed.'): Response {
  return Response.json({ error: { code, message } }, { status });
}

export function redirect(location: string, status = 307): Response {
  return new Response(null, { status, headers: { location } });
}

export function html(text: string, status = 200): Response {
  return new Response(`<!doctype html><title>${text}</title>`, { status, headers: { 'content-type': 'text/html' } });
}

export function withBody({ status, headers }: Response, body: string): Response {
  return new Response(body, { status, headers: headersWith(headers, { 'content-length': null }) });
}

export function withStatus({ body, headers }: Response, status: number): Response {
  return new Response(body, { status, headers });
}

/** The response with a header. `null` removes it. */
export function withHeader({ body, status, headers }: Response, name: string, value: string | null): Response {
  return new Response(body, { status, headers: headersWith(headers, { [name]: value }) });
}
