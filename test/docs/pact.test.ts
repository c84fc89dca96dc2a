/** contracts/README.md: its commands work, and its states are those of the catalogue and the pact. */
import { readdir, readFile, symlink, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { type Interaction, pactFileName, readPact } from '../../contracts/pact-file.ts';
import { catalogue } from '../../contracts/states/catalogue.ts';
import { newFolder } from '../support/files.ts';
import { type Outcome, type Running, root, run, start } from '../support/program.ts';

const readme = await readFile(join(root, 'contracts/README.md'), 'utf8');
const pact = readPact();
const blocks = Array.from(readme.matchAll(/^```(\w+)\n(.*?)^```$/gms), ([, language = '', text = '']) => ({
  language,
  text: text.trim(),
}));

function block(language: string, form: RegExp): string {
  const found = blocks.filter((candidate) => candidate.language === language && form.test(candidate.text));
  expect(found).toHaveLength(1);
  return found[0]?.text ?? '';
}

describe('a plain Pact verifier', () => {
  const checkout = newFolder();
  let server: Running;
  let addresses: { site_url: string; state_url: string };

  beforeAll(async () => {
    const names = (await readdir(root)).filter((name) => name !== '.git' && !name.includes('.sqlite'));
    await Promise.all(names.map((name) => symlink(join(root, name), join(checkout, name))));
    server = await start(block('sh', /--sandbox --json/), /\}\n/);
    addresses = JSON.parse(server.said());
  });

  afterAll(async () => {
    await server.stop();
  });

  /** Runs a program in the checkout with a command from the README, at the addresses of the test server. */
  async function verify(program: string, command: string): Promise<Outcome> {
    await writeFile(join(checkout, 'verify.mjs'), program);
    const line = command
      .replace('http://127.0.0.1:8080', addresses.site_url)
      .replace('http://127.0.0.1:8081', addresses.state_url);
    return run(line, {}, checkout);
  }

  const program = block('js', /pact-core/);
  const everything = block('sh', /^SITE_URL=/);
  const filtered = block('sh', /^PACT_DESCRIPTION=/);

  /** The descriptions of the interactions in the verifier's report. */
  function reported({ stdout }: Outcome): string[] {
    return Array.from(
      stdout.matchAll(/^ {2}(\w.*) \(.+ loading, .+ verification\)$/gm),
      ([, description = '']) => description,
    );
  }

  const descriptions = pact.interactions.map(({ description }) => description);

  test('replays every interaction of the description against the reference server with the filter', async () => {
    const outcome = await verify(program, filtered);
    expect(outcome).toMatchObject({ code: 0 });
    expect(reported(outcome)).toEqual(descriptions.filter((description) => !description.endsWith('(reference)')));
  });

  test('fails at once if the state endpoint does not have a state', async () => {
    const [interaction] = pact.interactions;
    const states = [...(interaction?.providerStates ?? []), { name: 'a tenant from the moon' }];
    const altered = join(checkout, 'altered.json');
    await writeFile(altered, JSON.stringify({ ...pact, interactions: [{ ...interaction, providerStates: states }] }));
    const outcome = await verify(program.replace(`contracts/pacts/${pactFileName}`, altered), everything);
    expect(outcome.code).toBe(1);
    expect(outcome.stdout).toContain('One or more of the setup state change handlers has failed');
  });

  test('of @pact-foundation/pact fails only in the interactions that the README names', async () => {
    const named = Array.from(readme.matchAll(/^- `(\w+: [^`]+)`$/gm), ([, description = '']) => description);
    const withBody = pact.interactions.filter(({ request }: Interaction) => request.body !== undefined);
    const operations = new Set(withBody.map(({ description }) => description.split(':')[0]));
    // Its own proxy handles bodies. Other interactions are sent as the core sends them, which the tests above show.
    const only = `PACT_DESCRIPTION='^(${[...operations].join('|')}):' ${everything}`;
    const other = program.replace('pact-core', 'pact').replace('.verify()', '.verifyProvider()');
    const report = `import { writeFileSync } from 'node:fs';
${other.replace('.verifyProvider();', ".verifyProvider().catch(({ message }) => writeFileSync('report.json', message));")}`;
    expect(report).toContain('report.json');
    expect(await verify(report, only)).toMatchObject({ code: 0 });
    const { interactionResults } = JSON.parse(await readFile(join(checkout, 'report.json'), 'utf8'));
    const failed = interactionResults.filter(({ result }: { result: string }) => result !== 'OK');
    expect(failed.map(({ description }: Interaction) => description)).toEqual(named);
    expect(interactionResults.length).toBeGreaterThanOrEqual(withBody.length);
  });

  test('gets the return values of the example with curl', async () => {
    const { stdout } = await run(block('sh', /^curl /), { STATE_URL: addresses.state_url });
    const example = JSON.parse(block('json', /api_key/));
    expect(Object.keys(JSON.parse(stdout))).toEqual(Object.keys(example));
  });
});

/** The sections of a chapter: heading, text, and the names that its list describes. */
function sectionsOf(chapter: string): { name: string; text: string; listed: string[] }[] {
  const [, content = ''] = readme.split(`\n## ${chapter}\n`);
  const [own = ''] = content.split('\n## ');
  return own
    .split('\n### ')
    .slice(1)
    .map((section) => {
      const [name = '', ...lines] = section.split('\n');
      const text = lines.join('\n');
      return { name, text, listed: Array.from(text.matchAll(/^- `(\w+)`/gm), ([, listed = '']) => listed) };
    });
}

/** The names of all fields that the values have. */
function fieldsOf(values: readonly unknown[]): string[] {
  return [...new Set(values.flatMap((value) => (typeof value === 'object' && value ? Object.keys(value) : [])))].sort();
}

const states = pact.interactions.flatMap(({ providerStates = [] }) => providerStates);

describe('the documented states', () => {
  const sections = sectionsOf('The states');

  test('are those of the catalogue, in its order', () => {
    expect(sections.map(({ name }) => name)).toEqual(Object.keys(catalogue));
  });

  test.each(Object.entries(catalogue))('%s', (state, { meaning, returns }) => {
    const { text = '', listed = [] } = sections.find(({ name }) => name === state) ?? {};
    expect(text.trim().split('\n\n')[0]?.replaceAll('\n', ' ')).toBe(meaning);
    expect(/^Returns `(\w+)`\.$/m.exec(text)?.[1]).toBe(returns);
    expect(listed.toSorted()).toEqual(
      fieldsOf(states.filter(({ name }) => name === state).map(({ params }) => params)),
    );
  });
});

test.each(sectionsOf('Objects in parameters'))(
  'the documented fields of a $name are those in the pact',
  ({ name, listed }) => {
    const parameter = name.split(' ').at(-1) ?? '';
    const values = states.map(({ params }) => (params as Record<string, unknown> | undefined)?.[parameter]);
    expect(listed.toSorted()).toEqual(fieldsOf(values));
  },
);
