/** Every request is one that the contract describes. */
import { isApiPath, lineOf, queryFaults } from '@product-passport/openapi';
import type { WireRequest } from '../../http/exchange.ts';
import { bodyOf, requestFaults } from '../../request-faults.ts';
import { type ClientRun, type Findings, findingsOf } from '../check.ts';
import type { ClientRequest } from '../client-request.ts';
import { withoutAdditions } from '../disturbances.ts';

type FaultsOf = (one: ClientRequest, run: ClientRun) => readonly string[];

const anyRequest = 'request to the address in PRODUCT_PASSPORT_URL';
export const operations = over(anyRequest, () => true, unknownOperation);
export const parameters = over(anyRequest, () => true, wrongParameters);
export const headers = over('request to the API', ({ exchange }) => isApiPath(exchange.request.path), wrongHeaders);
export const bodies = over('request with a body', ({ exchange }) => exchange.request.body !== undefined, wrongBody);

/** @param isMeant whether the check reads this request */
function over(name: string, isMeant: (one: ClientRequest) => boolean, faultsOf: FaultsOf) {
  return (run: ClientRun): Findings => {
    const judged = run.main.requests.filter(isMeant);
    if (judged.length === 0) return { notExercised: `The program sent no ${name}.` };
    const faults = judged.flatMap((one) => faultsOf(one, run).map((fault) => ({ fault, exchange: one.exchange })));
    return findingsOf(
      faults.map(({ fault, exchange }) => ({ reason: `${lineOf(exchange.request)}: ${fault}`, exchange })),
    );
  };
}

function unknownOperation({ operationId, exchange: { request } }: ClientRequest): string[] {
  const isOptions = request.method === 'OPTIONS' && !isApiPath(request.path);
  return operationId === undefined && !isOptions ? ['the contract has no such operation.'] : [];
}

function wrongParameters({ operationId, exchange: { request } }: ClientRequest, run: ClientRun): string[] {
  const operation = run.contract.operations.find((one) => one.operationId === operationId);
  if (operation === undefined) return [];
  const { core, reference } = run.judges;
  const wrong = [core, reference].flatMap((judge) => requestFaults(judge, request));
  const faults = wrong.filter((fault) => !fault.startsWith('body')).map((fault) => `${fault}.`);
  return [...new Set([...faults, ...queryFaults(request.path, operation.parameters)])];
}

function wrongHeaders({ exchange: { request } }: ClientRequest, { apiKey }: ClientRun): string[] {
  if (!isApiPath(request.path)) return [];
  const { authorization = '', 'content-type': type = '', 'content-encoding': encoding = 'identity' } = request.headers;
  const [, key] = /^bearer +(\S+)$/i.exec(authorization) ?? [];
  const isJson = /^application\/json\s*(;\s*charset="?utf-8"?)?$/i.test(type);
  return [
    ...(authorization === '' ? ['the header Authorization is missing.'] : []),
    ...(authorization !== '' && key === undefined ? ['Authorization is not "Bearer", a blank and the key.'] : []),
    ...(key !== undefined && key !== apiKey ? ['the key is not the one in PRODUCT_PASSPORT_KEY.'] : []),
    ...(request.body !== undefined && !isJson
      ? [`Content-Type must be application/json, is ${type || 'absent'}.`]
      : []),
    ...(encoding !== 'identity' ? ['Content-Encoding is not in the contract.'] : []),
  ];
}

function wrongBody({ operationId, exchange: { request } }: ClientRequest, { judges }: ClientRun): string[] {
  if (operationId === undefined) return [];
  if (request.method === 'GET' || request.method === 'HEAD') return [`${request.method} has a body.`];
  const { json, isUtf8 } = bodyOf(request);
  if (!isUtf8) return ['the body is not UTF-8.'];
  if (json === undefined) return ['the body is not JSON.'];
  const sent: WireRequest = { ...request, body: Buffer.from(JSON.stringify(withoutAdditions(json))) };
  const wrong = [judges.core, judges.reference].flatMap((judge) => requestFaults(judge, sent));
  return [...new Set(wrong.filter((fault) => fault.startsWith('body')).map((fault) => `${fault}.`))];
}
