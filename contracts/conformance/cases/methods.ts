/** HTTP-3: the methods of every path, HEAD and OPTIONS among them. */
import type { Contract, Operation } from '@product-passport/openapi';
import { type Case, check, checkEqual, family, type Reply } from '../case.ts';
import { needsOf, pathOf, validRequest } from '../valid-requests.ts';

const requests = '/info/description';
const beside = '/x-responses-beside-operations';

const methodCase = family('HTTP-3', { claim: 'reference', clause: `${beside}/405` });

export function methods({ operations }: Contract): readonly Case[] {
  const byPath = Map.groupBy(operations, ({ path }) => path);
  return [...[...byPath.values()].flatMap(casesOfPath), ...heads(operations)];
}

const allMethods = ['GET', 'HEAD', 'POST', 'PUT', 'PATCH', 'DELETE', 'OPTIONS', 'TRACE'];

function casesOfPath(atPath: readonly Operation[]): Case[] {
  const [first] = atPath;
  if (first === undefined) return [];
  const allowed = [
    ...atPath.flatMap(({ method }) => (method === 'GET' ? ['GET', 'HEAD'] : [method])),
    ...(first.secured ? [] : ['OPTIONS']),
  ];
  const path = pathOf(first);
  // The errors of the passport page are pages.
  const code = 'text/html' in (first.responses['200']?.content ?? {}) ? undefined : 'method_not_allowed';
  const refusals = methodCase(
    first.operationId,
    `${first.path} refuses every method but ${allowed.join(', ')} with 405 and Allow.`,
    async ({ send, sendFaulty }) => {
      const control = await send({ method: 'HEAD', path });
      check(control.status !== 405, `HEAD ${path} must not get 405`);
      for (const method of allMethods.filter((name) => !allowed.includes(name))) {
        const reply = await sendFaulty({ method, path });
        checkEqual(reply.status, 405, `the status of ${method}`);
        checkEqual(reply.code, code, `error.code of ${method}`);
        checkEqual(namesIn(reply.headers.allow), [...allowed].sort(), `Allow of ${method}`);
      }
    },
  );
  const preflight = methodCase.with({ clause: `${beside}/204` })(
    `options-${first.operationId}`,
    `OPTIONS of ${first.path} gets 204 with the allowed methods.`,
    async ({ sendFaulty }) => {
      const reply = await sendFaulty({ method: 'OPTIONS', path });
      checkEqual(reply.status, 204, 'the status');
      checkEqual(namesIn(reply.headers.allow), [...allowed].sort(), 'Allow');
      const access = reply.headers['access-control-allow-methods'];
      checkEqual(namesIn(access), [...allowed].sort(), 'Access-Control-Allow-Methods');
    },
  );
  return first.secured ? [refusals] : [refusals, preflight];
}

function namesIn(list = ''): string[] {
  return list
    .split(',')
    .map((name) => name.trim())
    .sort();
}

function heads(operations: readonly Operation[]): Case[] {
  return operations
    .filter(({ method }) => method === 'GET')
    .map((operation) => {
      const { operationId } = operation;
      return methodCase.with({ clause: requests, needs: needsOf(operation) })(
        `head-${operationId}`,
        `HEAD of ${operationId} has the status and headers of GET, and no body.`,
        async (context) => {
          const ask = await validRequest(operation, context, 'http');
          const get = await context.send(ask);
          const head = await context.send({ ...ask, method: 'HEAD' });
          checkEqual(head.status, get.status, 'the status of HEAD');
          checkEqual(head.text, '', 'the body of HEAD');
          const stable = (reply: Reply) => stableHeaders(reply, 'content-length', 'transfer-encoding');
          checkEqual(stable(head), stable(get), 'the headers of HEAD');
        },
      );
    });
}

/** Headers that may differ between two responses of the same meaning. */
const varying = ['date', 'x-request-id', 'connection', 'keep-alive'];

/** @param more other headers that may differ */
export function stableHeaders({ headers }: Reply, ...more: readonly string[]): Readonly<Record<string, string>> {
  const left = Object.entries(headers).filter(([name]) => ![...varying, ...more].includes(name));
  return Object.fromEntries(left);
}
