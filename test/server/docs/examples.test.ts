/** Each example of the API reference runs against the server: `curl` in a shell, and the SDK in Node. */
import { mkdir, readFile, symlink, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { beforeAll, describe, expect, test } from '@jest/globals';
import { readContract, type Schema } from '../../../openapi/src/index.ts';
import { keyVariable } from '../../../server/src/docs/examples.ts';
import { serverLinks } from '../../../server/src/docs/links.ts';
import { docsPages } from '../../../server/src/docs/pages.ts';
import { newFolder } from '../../support/files.ts';
import { root, run } from '../../support/program.ts';
import { type Client, useService } from '../../support/service.ts';

const operations = readContract().operations.filter(({ variantOf }) => variantOf === undefined);

const characters: Record<string, string> = { amp: '&', lt: '<', gt: '>', quot: '"', '#39': "'" };

/** The required fields of an object. */
function requiredOf(schema: Schema | undefined): string[] {
  return [...(schema?.required ?? []), ...(schema?.allOf ?? []).flatMap(requiredOf)];
}

describe('the examples', () => {
  const service = useService('SQLite');
  const folder = newFolder();
  let client: Client;
  /** By operation: the shown texts by title. */
  const examples = new Map<string, Map<string, string>>();
  let setUp = '';

  beforeAll(async () => {
    client = await service.newTenant({ slug: 'skellig' });
    await client.publish({ name: 'USB-C Cable 240 W 2 m', slug: 'usb-c-cable-240-w-2-m', gtin: '9520001200045' });
    const pages = docsPages(serverLinks('/x.css'), `http://127.0.0.1:${service.port}`);
    const all = pages.map(({ html }) => html).join('\n');
    for (const [, id = '', section = ''] of all.matchAll(
      /<section class="part operation" aria-labelledby="(\w+)">(.*?)<\/section>/gs,
    ))
      examples.set(id, new Map(shownIn(section)));
    [setUp = ''] = (examples.get('start')?.get('SDK') ?? '').split('\n\nconsole.log(');
    await mkdir(join(folder, 'node_modules'));
    await symlink(join(root, 'node_modules/@product-passport'), join(folder, 'node_modules/@product-passport'));
  });

  /** The examples of a section as the reader copies them. */
  function* shownIn(section: string): Generator<[string, string]> {
    const pattern = /<figcaption class="caption">(.*?)<\/figcaption>\s*<pre><code>(.*?)<\/code>/gs;
    for (const [, title = '', html = ''] of section.matchAll(pattern))
      yield [
        title,
        html.replace(/<\/?span[^>]*>/g, '').replace(/&(amp|lt|gt|quot|#39);/g, (_all, name) => characters[name] ?? ''),
      ];
  }

  /** Runs a `curl` command, and returns what it says with the response that it got. */
  async function inShell(command: string): Promise<{ said: string; status: number; headers: Record<string, string> }> {
    const file = join(folder, 'headers.txt');
    const line = command.replace(/^curl /, `curl -sS -D ${file} `);
    const { code, stdout, stderr } = await run(line, { [keyVariable]: client.key });
    expect([code, stderr]).toEqual([0, '']);
    const [first = '', ...rest] = (await readFile(file, 'utf8')).trim().split('\r\n');
    const headers = Object.fromEntries(rest.map((header) => header.split(/:\s*(.*)/s).slice(0, 2)));
    return { said: stdout, status: Number(first.split(' ')[1]), headers };
  }

  async function inNode(snippet: string): Promise<unknown> {
    const [, result = ''] = /^const (\w+) = /.exec(snippet) ?? [];
    const file = join(folder, `${result}.mjs`);
    await writeFile(file, `${setUp}\n\n${snippet}\nprocess.stdout.write(JSON.stringify(${result}));\n`);
    const outcome = await run(`node ${file}`, { [keyVariable]: client.key }, folder);
    expect(outcome).toMatchObject({ code: 0, stderr: '' });
    return JSON.parse(outcome.stdout);
  }

  test('the first call in JavaScript and in Python prints the name of the tenant', async () => {
    const access = { [keyVariable]: client.key };
    const first = examples.get('start');
    await writeFile(join(folder, 'first.mjs'), first?.get('SDK') ?? '');
    await writeFile(join(folder, 'first.py'), first?.get('Python') ?? '');
    const printed = { code: 0, stdout: `${client.tenant.name}\n`, stderr: '' };
    expect(await run('node first.mjs', access, folder)).toEqual(printed);
    expect(await run('python3 first.py', access, folder)).toEqual(printed);
  });

  test('exist for each operation', () => {
    for (const { operationId } of operations) expect([...(examples.get(operationId)?.keys() ?? [])]).toContain('curl');
    const withoutMethod = operations.filter(({ operationId }) => !examples.get(operationId)?.has('SDK'));
    expect(withoutMethod.map(({ operationId }) => operationId)).toEqual(['getResolverDescription']);
  });

  test.each(operations)('curl: $operationId', async ({ operationId, method, path }) => {
    const { said, status, headers } = await inShell(examples.get(operationId)?.get('curl') ?? '');
    if (operationId === 'resolveGtin') {
      expect(said).toMatch(/^HTTP\/1\.1 307 .*^location: http\S+\/p\/skellig\/usb-c-cable-240-w-2-m\r$/ims);
      return;
    }
    expect(status).toBe(200);
    service.judge({ operationId, method, path }, { status, headers, text: said });
  });

  const withMethod = operations.filter(({ operationId }) => operationId !== 'getResolverDescription');

  test.each(withMethod)('SDK: $operationId', async ({ operationId, responses }) => {
    const value = await inNode(examples.get(operationId)?.get('SDK') ?? '');
    const [media] = Object.values(responses['200']?.content ?? {});
    if (operationId === 'resolveGtin') expect(value).toMatchObject({ document: { name: 'USB-C Cable 240 W 2 m' } });
    else if (typeof value === 'string') expect(value).toMatch(/^<!doctype html>/);
    else expect(Object.keys(value as object)).toEqual(expect.arrayContaining(requiredOf(media?.schema)));
  });

  test('a schema without members shows its type', () => {
    const html = docsPages(serverLinks('/x.css'), 'http://127.0.0.1')
      .map((page) => page.html)
      .join('\n');
    const types = html.matchAll(
      /<h2 class="anchored" id="(\w+)">.*?<\/a>(?: <span class="type">(.*?)<\/span>)?<\/h2>/g,
    );
    const typeOf = Object.fromEntries(Array.from(types, ([, name = '', type]) => [name, type]));
    expect(typeOf).toMatchObject({ ProductStatus: 'string', Completeness: 'integer', Product: undefined });
  });

  test('paging: the loop of the overview reads every product', async () => {
    const pages = docsPages(serverLinks('/x.css'), `http://127.0.0.1:${service.port}`);
    const [, loop] = [...shownIn(pages[0]?.html ?? '')].find(([, text]) => text.startsWith('for await')) ?? [];
    const file = join(folder, 'loop.mjs');
    await writeFile(file, `${setUp}\n\n${loop}\n`);
    const { stdout } = await run(`node ${file}`, { [keyVariable]: client.key }, folder);
    expect(stdout).toMatch(/^usb-c-cable-240-w-2-m\n/);
  });
});
