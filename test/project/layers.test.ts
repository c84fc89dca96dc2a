import { expect, test } from '@jest/globals';
import { findings } from '../../tools/layers.ts';

test.each([
  ['an import that goes upward', 'server/src/log/log.ts', 'server/src/app.ts', /^upward: /],
  [
    'a folder that imports a higher file of its own',
    'server/src/products/store.ts',
    'server/src/products/create.ts',
    /^upward: /,
  ],
  ['a part that another may not import', 'sdk/src/client.ts', 'server/src/app.ts', /^sdk-imports-another-part: /],
  ['rules that import a library', 'server/src/scans/rules.ts', 'node_modules/knex/', /^rules-import-no-store: /],
  ['a file without a layer', 'server/src/new/file.ts', 'node:fs', /^server\/src\/new\/file.ts has no layer/],
])('the check of layers finds %s', (_, file, target, finding) => {
  expect(findings(new Map([[file, [target]]]))).toEqual([expect.stringMatching(finding)]);
});

test('the check of layers finds a circle of imports, and accepts two ways to one file', () => {
  const imports = new Map([
    ['sdk/src/a.ts', ['sdk/src/b.ts', 'sdk/src/c.ts']],
    ['sdk/src/b.ts', ['sdk/src/c.ts']],
  ]);
  expect(findings(imports)).toEqual([]);
  expect(findings(imports.set('sdk/src/c.ts', ['sdk/src/b.ts']))).toEqual([
    expect.stringContaining('circle: sdk/src/b.ts → sdk/src/c.ts → sdk/src/b.ts.'),
  ]);
});
