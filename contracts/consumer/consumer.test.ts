/**
 * The consumer tests run every case through the SDK against Pact's mock. The resulting pact must equal the committed file
 * byte for byte, so every change of the pact is visible.
 */
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, test } from '@jest/globals';
import { PactV4 } from '@pact-foundation/pact';
import { consumer, pactFileName, pactLocation, provider } from '../pact-file.ts';
import { cases } from './cases.ts';
import { record } from './record.ts';

/** npm sets this variable to the name of the script that runs. */
const updatesPact = process.env.npm_lifecycle_event === 'pact:write';

const count = Object.values(cases).flat().length;
let recorded = 0;
let directory: string;
let pact: PactV4;

// A new directory for each run, because Pact merges into an existing file.
beforeAll(async () => {
  directory = await mkdtemp(join(tmpdir(), 'pact-'));
  pact = new PactV4({ consumer, provider, dir: directory, logLevel: 'error' });
});

afterAll(() => rm(directory, { recursive: true }));

describe.each(Object.entries(cases))('%s', (_noun, interactions) => {
  test.each(interactions.map((interaction) => [interaction.description, interaction] as const))(
    '%s',
    async (_description, interaction) => {
      await record(pact, interaction);
      recorded += 1;
    },
  );
});

test('the recorded interactions equal the committed pact', async () => {
  if (recorded < count)
    throw new Error(`Only ${recorded} of ${count} interactions were recorded, so the pact is incomplete.`);
  const made = await readFile(join(directory, pactFileName), 'utf8');
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
