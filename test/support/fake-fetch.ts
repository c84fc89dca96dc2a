import type { Fetch } from '../../sdk/src/index.ts';

type Answer = Response | Error | ((request: Request) => Response | Promise<Response>);

const endless = 'The fake fetch got more requests than this test may send';

/** A `fetch` that gives the answers in turn, the last one again and again, and keeps the requests: at most 1,000. */
export function fakeFetch(...answers: Answer[]) {
  return fakeFetchFor(1_000, ...answers);
}

/** The same for at most so many requests: a call that would go on for ever fails with a message, and not without memory. */
export function fakeFetchFor(most: number, ...answers: Answer[]) {
  const requests: Request[] = [];
  const fetch = async (...[url, init]: Parameters<Fetch>): Promise<Response> => {
    if (requests.length === most) throw new Error(`${endless}: ${most}.`);
    const request = new Request(url, init);
    const answer = answers[Math.min(requests.push(request), answers.length) - 1];
    if (answer instanceof Error || answer === undefined) throw answer;
    return answer instanceof Response ? answer.clone() : answer(request);
  };
  return { fetch, requests };
}

export const json = (body: unknown, init?: ResponseInit) => Response.json(body, init);
export const refusal = (status: number, code: string, message = 'Because.') =>
  json({ error: { code, message } }, { status });
export const html = (status: number, text: string) =>
  new Response(text, { status, headers: { 'content-type': 'text/html' } });
/** A body of which each chunk is one byte, so that characters are cut. */
export const byteByByte = (text: string, init?: ResponseInit) =>
  new Response(
    new ReadableStream({
      start(body) {
        for (const byte of new TextEncoder().encode(text)) body.enqueue(Uint8Array.of(byte));
        body.close();
      },
    }),
    init,
  );
/** What a browser's `fetch` gives for a redirect that it is not to follow: only its network can make such a response. */
export const hiddenRedirect = () =>
  Object.defineProperties(new Response(null), {
    type: { value: 'opaqueredirect' },
    status: { value: 0 },
    ok: { value: false },
  });

/** What a promise rejects with; fails the test when it does not, or when the call would never end. */
export async function rejection(promise: PromiseLike<unknown>): Promise<unknown> {
  let value: unknown;
  try {
    value = await promise;
  } catch (error) {
    if (String(error).includes(endless)) throw error;
    return error;
  }
  throw new Error(`expected a rejection, got ${JSON.stringify(value)}`);
}

export const baseUrl = 'https://passport.example.com/api/v1';
export const siteUrl = 'https://passport.example.com';
export const apiKey = 'ppk_dGhpcyBpcyBub3QgYSBrZXksIGJ1dCBsb29rcyBsaWtl';
