/** The wrong providers. */
import { changeJson, changeRequest } from './alter.ts';
import type { Mutant } from './mutant.ts';

const list = { method: 'GET', path: /^\/api\/v1\/products$/ };

export const mutants: readonly Mutant[] = [
  {
    id: 'limit-not-echoed',
    mistake: 'The list repeats the default limit instead of the limit of the request.',
    killedBy: 'PAGE-1.echo',
    because: 'limit must be 3, is 50',
    wrap: changeJson(list, (body: { limit: number }) => ({ ...body, limit: 50 })),
  },
  {
    id: 'offset-ignored',
    mistake: 'Every page begins at the first product.',
    killedBy: 'PAGE-4.limit-2',
    because: 'the joined pages',
    wrap: changeRequest(list, (request) => {
      const url = new URL(request.url);
      url.searchParams.delete('offset');
      return new Request(url, request);
    }),
  },
];
