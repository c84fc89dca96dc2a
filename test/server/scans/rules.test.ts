import { createSecretKey } from 'node:crypto';
import { expect, test } from '@jest/globals';
import { visitorHash } from '../../../server/src/scans/recorder.ts';

test('scans have one visitor hash for each address, day and secret', () => {
  const secret = createSecretKey(Buffer.alloc(32, 1));
  const hash = visitorHash(secret, new Date('2026-03-01T00:00:00.000Z'), '192.0.2.1');
  expect(hash).toMatch(/^[0-9a-f]{64}$/);
  expect(visitorHash(secret, new Date('2026-03-01T23:59:59.999Z'), '192.0.2.1')).toBe(hash);
  expect(visitorHash(secret, new Date('2026-03-02T00:00:00.000Z'), '192.0.2.1')).not.toBe(hash);
  expect(visitorHash(secret, new Date('2026-03-01T00:00:00.000Z'), '192.0.2.2')).not.toBe(hash);
  expect(visitorHash(createSecretKey(Buffer.alloc(32, 2)), new Date('2026-03-01T00:00:00.000Z'), '192.0.2.1')).not.toBe(
    hash,
  );
});
