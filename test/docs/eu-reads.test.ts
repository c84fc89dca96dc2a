/** docs/how-to/eu-reads.md: its requests get passports. */
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { expect, test } from '@jest/globals';
import { fillDemo } from '../../server/src/demo/fill.ts';
import { root, run } from '../support/program.ts';
import { startService } from '../support/service.ts';

test('each request of the page gets a response about the passport', async () => {
  const service = await startService('SQLite');
  await fillDemo({ database: service.database, urnNamespace: 'dpp', now: () => new Date() });
  const page = await readFile(join(root, 'docs/how-to/eu-reads.md'), 'utf8');
  const [, block = ''] = /```sh\n(curl .*?)```/s.exec(page) ?? [];
  const lines = block.trim().replaceAll(/^curl/gm, 'echo; curl -sS');
  const { code, stdout, stderr } = await run(lines, { SITE: `http://127.0.0.1:${service.port}` });
  expect([code, stderr]).toEqual([0, '']);
  const [byProduct, full, past, element, ids] = stdout
    .trim()
    .split('\n')
    .map((line) => JSON.parse(line));
  const id = `http://127.0.0.1:${service.port}/p/skellig/usb-c-cable-240-w-2-m/jsonld`;
  expect([byProduct, full, past].map(({ digitalProductPassportId }) => digitalProductPassportId)).toEqual([id, id, id]);
  expect(full.elements.length).toBeGreaterThan(3);
  expect([element, ids]).toEqual([byProduct.cable_length, [id]]);
});
