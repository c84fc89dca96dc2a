import { execFile } from 'node:child_process';
import { once } from 'node:events';
import { readFileSync } from 'node:fs';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { promisify } from 'node:util';
import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { Ajv2020 } from 'ajv/dist/2020.js';
import addFormats from 'ajv-formats';
import { createFakeService } from '../../../sdk/src/testing/service/index.ts';
import { connectInProcess } from '../http/in-process.ts';
import { verify } from '../verify.ts';
import { curlOf } from './curl.ts';
import { reportOf } from './report.ts';

const siteUrl = 'http://passports.test';
const received: Buffer[] = [];
const server = createServer(async (request, response) => {
  const chunks: Buffer[] = [];
  for await (const chunk of request) chunks.push(chunk);
  received.push(Buffer.concat(chunks));
  response.end();
});

beforeAll(async () => {
  await once(server.listen(0, '127.0.0.1'), 'listening');
});
afterAll(() => {
  server.close();
});

test.each([
  ['JSON with spaces', Buffer.from('{ "name" : 1e400 }')],
  ['quotation marks', Buffer.from(`it's "$HOME" \\n`)],
  ['bytes that are not UTF-8', Buffer.from([0x5b, 0xff, 0xed, 0xa0, 0x80, 0x5d])],
  ['U+0000', Buffer.from('[]\0')],
  ['nothing', Buffer.alloc(0)],
])('the curl line repeats the body byte for byte: %s', async (_, body) => {
  const root = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  const line = curlOf({ method: 'PUT', path: '/api/v1/me', headers: { 'content-type': 'text/plain' }, body }, root);
  await promisify(execFile)('sh', ['-c', line]);
  expect(received.at(-1)).toEqual(body);
});

test('the report has the bytes of a body that is not UTF-8', async () => {
  const service = createFakeService({ siteUrl });
  const handler = async (request: Request): Promise<Response> => {
    const bytes = Buffer.from(await request.clone().arrayBuffer());
    const isText = Buffer.from(bytes.toString('utf8')).equals(bytes);
    return isText ? service.fetch(request) : new Response('', { status: 500 });
  };
  const connection = connectInProcess(handler, siteUrl);
  const only = ['GEN-1.putPassport'];
  const run = await verify({ provider: service.provider, connection, only, seed: 3, generated: 8 });
  const report = reportOf(run, service.provider);
  const ajv = new Ajv2020();
  addFormats.default(ajv);
  const schema = new URL('../../schemas/report.schema.json', import.meta.url);
  expect(ajv.validate(JSON.parse(readFileSync(schema, 'utf8')), report) ? [] : ajv.errors).toEqual([]);
  const sent = run.results[0]?.exchanges.at(-1)?.request.body;
  const shown = report.cases[0]?.exchanges.at(-1);
  expect(shown?.request.body_base64).toBe(Buffer.from(sent ?? []).toString('base64'));
  expect(shown?.curl).toContain(`printf %s ${shown?.request.body_base64} | base64 -d |`);
});
