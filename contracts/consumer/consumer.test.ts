/**
 * The consumer tests run every case through the SDK against Pact's mock. The resulting pact must equal the committed file
 * byte for byte, so every change of the pact is visible.
 */
import { mkdtemp, readdir, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { MatchersV3, PactV4 } from '@pact-foundation/pact';
import * as sdk from '@product-passport/sdk';
import { createPublicClient } from '@product-passport/sdk/public';
import { consumer, type PactFile, pactFileName, pactLocation, provider } from '../pact-file.ts';
import { type Case, clientsAt, type ExpectedResponse, outcomeFaults } from './case.ts';
import { interactions } from './interactions.ts';
import { sentValue } from './matchers.ts';

/** npm sets this variable to the name of the script that runs. */
const updatesPact = process.env.npm_lifecycle_event === 'pact:write';

let directory: string;

beforeAll(async () => {
  directory = await mkdtemp(join(tmpdir(), 'pact-'));
});

afterAll(() => rm(directory, { recursive: true }));

test.each(interactions)('$description', async (interaction) => {
  // Each interaction has its own directory: Pact would read and write all earlier ones of the same directory again.
  const dir = await mkdtemp(join(directory, 'interaction-'));
  await record(new PactV4({ consumer, provider, dir, logLevel: 'error' }), interaction);
});

/** All recorded interactions as one file, in the same order and form as Pact writes them. */
async function recordedPact(): Promise<string> {
  const files = (await readdir(directory, { recursive: true })).filter((file) => file.endsWith(pactFileName));
  const texts = await Promise.all(files.map((file) => readFile(join(directory, file), 'utf8')));
  const pacts: PactFile[] = texts.map((text) => JSON.parse(text));
  const recorded = pacts
    .flatMap((pact) => pact.interactions)
    .toSorted((one, other) => (one.description < other.description ? -1 : 1));
  if (recorded.length < interactions.length)
    throw new Error(
      `Only ${recorded.length} of ${interactions.length} interactions were recorded, so the pact is incomplete.`,
    );
  return JSON.stringify({ ...pacts[0], interactions: recorded }, null, 2);
}

test('the recorded interactions equal the committed pact', async () => {
  const made = await recordedPact();
  if (updatesPact) await writeFile(pactLocation, made);
  const committed = await readFile(pactLocation, 'utf8').catch(() => '');
  if (made === committed) return;
  // The error shows the first line that differs; a whole diff would be too long to read.
  const lines = { made: made.split('\n'), committed: committed.split('\n') };
  const at = lines.made.findIndex((line, index) => line !== lines.committed[index]);
  throw new Error(
    `The recorded pact differs from the committed one. contracts/pacts/${pactFileName}:${at + 1}
  committed: ${lines.committed[at]?.trim()}
  made:      ${lines.made[at]?.trim()}
If the new one is meant, accept it with: npm run pact:write`,
  );
});

type Interaction = ReturnType<PactV4['addInteraction']>;
type Json = NonNullable<Parameters<Interaction['given']>[1]>;

/** Runs one case against Pact's mock: checks the request and the result of the SDK, and records the interaction. */
async function record(pact: PactV4, one: Case): Promise<void> {
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
      const { contentType, body, html, location, findings } = response;
      if (contentType !== undefined) mocked.headers({ 'Content-Type': contentType });
      if (location !== undefined) mocked.headers({ Location: location as MatchersV3.Matcher<string> });
      if (findings !== undefined) mocked.headers({ 'Passport-Findings': `${findings}` });
      if (body !== undefined) mocked.jsonBody(body);
      if (html !== undefined) {
        mocked.body('text/html', Buffer.from(html));
        mocked.matchingRules({ body: { path: '$', rules: [MatchersV3.regex(anyPage, html)] } });
      }
    })
    .executeTest(async ({ url }) => {
      const clients = clientsAt(url, one, { ...sdk, createPublicClient }, (sent) => fetch(sent));
      expect(await outcomeFaults(one, clients)).toEqual([]);
    });
}

function queryOf(query: Readonly<Record<string, string>>): Record<string, string | MatchersV3.Matcher<string>> {
  return Object.fromEntries(Object.entries(query).map(([name, value]) => [name, sentValue(value)]));
}

function statusOf({ status, otherStatuses }: ExpectedResponse): number | MatchersV3.StatusCodeMatcher<number> {
  return otherStatuses === undefined ? status : MatchersV3.matchStatus(status, [status, ...otherStatuses]);
}

/** Without a flag for letter case, because verifiers in other languages write it differently. */
const anyPage = '^<![Dd][Oo][Cc][Tt][Yy][Pp][Ee] [Hh][Tt][Mm][Ll]>[\\s\\S]+';
