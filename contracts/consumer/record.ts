/** Runs one case against Pact's mock: checks the request and the result of the SDK, and records the interaction. */
import { expect } from '@jest/globals';
import { MatchersV3, type PactV4 } from '@pact-foundation/pact';
import { createClient, type Fetch } from '@product-passport/sdk';
import { createPublicClient } from '@product-passport/sdk/public';
import { keys } from '../states/keys.ts';
import type { Case, ExpectedResponse, Service } from './case.ts';
import { sentValue } from './matchers.ts';

type Interaction = ReturnType<PactV4['addInteraction']>;
type Json = NonNullable<Parameters<Interaction['given']>[1]>;

export async function record(
  pact: PactV4,
  { description, given, call, request, alter, response }: Case,
): Promise<void> {
  const { method, path, query, accept, key, body, rawBody } = request;
  const presupposed = given.reduce<Interaction>(
    (interaction, { name, parameters }) => interaction.given(name, parameters as Json),
    pact.addInteraction(),
  );
  await presupposed
    .uponReceiving(description)
    .withRequest(method, path, (expected) => {
      if (query !== undefined) expected.query(queryOf(query));
      if (accept !== undefined) expected.headers({ Accept: accept });
      if (key !== undefined) expected.headers({ Authorization: sentValue(key, 'Bearer ') });
      if (body !== undefined) expected.jsonBody(body);
      if (rawBody !== undefined) {
        expected.headers({ 'Content-Type': rawBody.contentType });
        expected.body('text/plain', Buffer.from(rawBody.text));
      }
    })
    .willRespondWith(statusOf(response), (mocked) => {
      const { contentType, body, html, location } = response;
      if (contentType !== undefined) mocked.headers({ 'Content-Type': contentType });
      if (location !== undefined) mocked.headers({ Location: location as MatchersV3.Matcher<string> });
      if (body !== undefined) mocked.jsonBody(body);
      if (html !== undefined) {
        mocked.body('text/html', Buffer.from(html));
        mocked.matchingRules({ body: { path: '$', rules: [MatchersV3.regex(anyPage, html)] } });
      }
    })
    .executeTest(async ({ url }) => {
      const send: Fetch = async (address, init) => {
        const sent = new Request(address, init);
        // The target of a redirect is not part of the interaction.
        if (!sent.url.startsWith(url)) return new Response('', { headers: { 'Content-Type': 'text/html' } });
        return fetch(alter === undefined ? sent : alter(sent));
      };
      const service: Service = {
        // One attempt: the waits between attempts do not change an interaction.
        client: createClient({ baseUrl: `${url}/api/v1`, apiKey: key ?? keys.valid, fetch: send, maxAttempts: 1 }),
        site: createPublicClient({ siteUrl: url, fetch: send }),
        async plain(path, headers = {}) {
          const reply = await fetch(url + path, { headers, redirect: 'manual' });
          return reply.headers.get('location') ?? reply.json();
        },
      };
      await expectOutcome(call(service), response);
    });
}

function queryOf(query: Readonly<Record<string, string>>): Record<string, string | MatchersV3.Matcher<string>> {
  return Object.fromEntries(Object.entries(query).map(([name, value]) => [name, sentValue(value)]));
}

function statusOf({ status, otherStatuses }: ExpectedResponse): number | MatchersV3.StatusCodeMatcher<number> {
  return otherStatuses === undefined ? status : MatchersV3.matchStatus(status, [status, ...otherStatuses]);
}

/** Without a flag for capitals, which the languages that check a pact write differently. */
const anyPage = '^<![Dd][Oo][Cc][Tt][Yy][Pp][Ee] [Hh][Tt][Mm][Ll]>[\\s\\S]+';

/** Checks the value that the SDK returns, or the typed error that it throws. */
async function expectOutcome(outcome: PromiseLike<unknown>, response: ExpectedResponse): Promise<void> {
  const { status, body, html, location, code } = response;
  if (code === undefined) {
    const value = await outcome;
    expect(value).toEqual(MatchersV3.reify(html ?? location ?? body));
    return;
  }
  const error = await Promise.resolve(outcome).then(
    (value) => ({ name: 'no error', value }),
    (thrown: unknown) => thrown,
  );
  expect(error).toMatchObject({ name: 'ApiError', status, code });
}
