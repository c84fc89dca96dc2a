/** A program does not repeat a create blindly. */
import { type ClientCheck, type Findings, findingsOf } from '../check.ts';
import { identityOf, type Received } from '../received.ts';

export const creations: readonly ClientCheck[] = [
  {
    id: 'CLIENT-3.create',
    title: 'If the response to a create is lost, the program looks for the product before it creates again.',
    clause: '/paths/~1api~1v1~1products/post',
    findings: ({ main }) => repeats(main.received),
  },
];

function repeats(received: readonly Received[]): Findings {
  const dropped = received.filter(({ event }) => event === 'dropped');
  if (dropped.length === 0) return { notExercised: 'The program created fewer than two products.' };
  const faults = dropped.flatMap((lost) => {
    const after = received.filter(({ arrivedAt }) => arrivedAt > lost.respondedAt);
    const identity = identityOf(lost.exchange.request);
    const again = after.find(({ exchange, event }) => event !== 'limited' && identityOf(exchange.request) === identity);
    if (again === undefined) return [];
    const looked = after.some((one) => one.arrivedAt < again.arrivedAt && isLook(one));
    const how = looked
      ? 'The program looked for products, and then created it again. It did not look for this product.'
      : 'The program created it again without a look.';
    const reason = `The product of POST /api/v1/products was stored, but the connection closed. ${how} There are two products now.`;
    return [{ reason, exchange: again.exchange }];
  });
  return findingsOf(faults);
}

function isLook({ operationId, event }: Received): boolean {
  return event === undefined && (operationId === 'getProduct' || operationId === 'listProducts');
}
