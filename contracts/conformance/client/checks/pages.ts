/** A program that lists products reads the list to its end. */
import { member } from '@product-passport/openapi';
import type { Exchange } from '../../http/exchange.ts';
import { jsonIn } from '../../request-faults.ts';
import { type ClientRun, type Findings, findingsOf, survival } from '../check.ts';
import { type ClientRequest, isSuccess } from '../client-request.ts';

interface Page {
  readonly exchange: Exchange;
  /** Status and search: the list that the page belongs to. */
  readonly list: string;
  /** The number of products that the program asked for, if it named one. */
  readonly asked: number | undefined;
  readonly offset: number;
  /** The offset of the next page. */
  readonly next: number;
  readonly total: number;
}

export function readings(run: ClientRun): Findings {
  const lists = Map.groupBy(run.main.requests.flatMap(pageIn), ({ list }) => list);
  const longer = [...lists.values()].filter((list) =>
    list.some(({ next, total, offset }) => offset === 0 && next < total),
  );
  if (longer.length === 0) return { notExercised: 'The program read no list of more than one page.' };
  const faults = longer.flatMap((list) => faultOf(list, isSuccess(run.main)) ?? []);
  if (faults.length > 0) return findingsOf(faults);
  if (longer.every(isOnePageOnPurpose)) {
    return { notExercised: 'The program got as many products as the limit that it named, and wanted no more.' };
  }
  return survival(run, 'pages', 'pages are small and the list grows while it is read');
}

function faultOf(list: readonly Page[], isFinished: boolean): { reason: string; exchange: Exchange } | undefined {
  let reached = 0;
  for (const { offset, next } of list.toSorted((one, other) => one.offset - other.offset)) {
    if (offset <= reached) reached = Math.max(reached, next);
  }
  const [first] = list;
  if (first === undefined || reached >= first.total) return undefined;
  const beyond = list.find(({ offset }) => offset > reached);
  if (beyond !== undefined) {
    const reason = `The program skipped products: it read ${reached}, then asked from offset ${beyond.offset} on. The next page begins at offset plus the number of items.`;
    return { reason, exchange: beyond.exchange };
  }
  const last = list.find(({ next }) => next === reached) ?? first;
  const isEnough = last.asked !== undefined && last.next - last.offset >= last.asked;
  if (!isFinished || isEnough) return undefined;
  const wish = last.asked === undefined ? 'a list' : `${last.asked} products`;
  const reason = `The program asked for ${wish}, got ${reached} of ${last.total} products, and did not ask for the rest.`;
  return { reason, exchange: last.exchange };
}

function isOnePageOnPurpose(list: readonly Page[]): boolean {
  return list.every(({ offset, next, asked }) => offset === 0 && next === asked);
}

function pageIn({ operationId, exchange }: ClientRequest): Page[] {
  const { request, response } = exchange;
  if (operationId !== 'listProducts' || request.method !== 'GET' || response?.status !== 200) return [];
  const body = jsonIn(response.text);
  const items = member(body, 'items');
  if (!Array.isArray(items)) return [];
  const query = new URLSearchParams(request.path.split('?')[1]);
  const offset = Number(member(body, 'offset'));
  const limit = query.get('limit');
  return [
    {
      exchange,
      list: `${query.get('status')} ${query.get('search') ?? ''}`,
      asked: limit === null ? undefined : Number(limit),
      offset,
      next: offset + items.length,
      total: Number(member(body, 'total')),
    },
  ];
}
