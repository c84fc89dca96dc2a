/** No Litestream is at hand: this reads the file as YAML, and compares its path with the one of the systemd unit. */
import { readFile } from 'node:fs/promises';
import { expect, test } from '@jest/globals';
import { parse } from 'yaml';

test('deploy/litestream.yml copies the file of the systemd unit, and holds no key', async () => {
  const text = await readFile('deploy/litestream.yml', 'utf8');
  const { dbs, ...more } = parse(text);
  expect(more).toEqual({});
  expect(dbs).toHaveLength(1);
  const [{ path, replicas }] = dbs;
  expect(await readFile('deploy/product-passport.service', 'utf8')).toContain(path);
  expect(replicas).toHaveLength(1);
  expect(replicas[0].url).toMatch(/^s3:\/\/[a-z-]+\/[a-z-]+$/);
  expect(text).not.toMatch(/access-key-id:|secret-access-key:/);
});
