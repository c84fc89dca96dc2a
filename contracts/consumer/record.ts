/** Runs one case against Pact's mock: checks the request and the result of the SDK, and records the interaction. */
import { expect } from '@jest/globals';
import { MatchersV3, type PactV4 } from '@pact-foundation/pact';
import * as sdk from '@product-passport/sdk';
import { createPublicClient } from '@product-passport/sdk/public';
import { type Case, type ExpectedResponse, outcomeFaults, serviceAt } from './case.ts';
import { sentValue } from './matchers.ts';

type Interaction = ReturnType<PactV4['addInteraction']>;
type Json = NonNullable<Parameters<Interaction['given']>[1]>;

export async function record(pact: PactV4, one: Case): Promise<void> {
  const { description, given, request, response } = one;
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
      const service = serviceAt(url, one, { ...sdk, createPublicClient }, (sent) => fetch(sent));
      expect(await outcomeFaults(one, service)).toEqual([]);
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
