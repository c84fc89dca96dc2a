/** The pages for operators: metrics, settings, threats, the index. The page of invariants. */
import { existsSync } from 'node:fs';
import { readFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { describe, expect, test } from '@jest/globals';
import { settingNames, settings } from '../../server/src/config/settings.ts';
import { type FinishedRequest, requestLog } from '../../server/src/http/request-log.ts';
import type { Log } from '../../server/src/log/log.ts';
import { root, run } from '../support/program.ts';

const textOf = (page: string) => readFile(join(root, page), 'utf8');
const { stdout } = await run('git ls-files docs/*.md docs/**/*.md deploy');
const files = stdout.trim().split('\n');

async function linksOf(page: string): Promise<string[]> {
  const links = (await textOf(page)).matchAll(/\]\((?!https?:)([^)#]+)[^)]*\)/g);
  return Array.from(links, ([, link = '']) => join(dirname(page), link));
}

test('the index and the page of the deployment name every file of their folders', async () => {
  const from = await Promise.all(['docs/README.md', 'deploy/README.md', 'CONTRIBUTING.md'].map(linksOf));
  const linked = from.flat();
  const unnamed = ['docs/README.md', 'deploy/README.md', 'deploy/Dockerfile.dockerignore'];
  expect(files.filter((file) => ![...linked, ...unnamed].includes(file))).toEqual([]);
});

test('the address and the key of a service have one name everywhere', async () => {
  const { stdout } = await run("git grep -hoE '[A-Z_]*PASSPORT_[A-Z_]*(KEY|URL)\\b' -- ':!test'");
  const names = [...new Set(stdout.trim().split('\n'))].sort();
  const keys = ['KEY', 'OTHER_KEY', 'PUBLISHING_KEY', 'REVOKED_KEY', 'SECOND_KEY'];
  const kinds = [...keys, 'SITE_URL', 'TEST_KEY', 'TEST_URL', 'URL'];
  expect(names).toEqual(kinds.map((kind) => `PRODUCT_PASSPORT_${kind}`));
});

test('the page of the deployment names settings that exist, with their defaults', async () => {
  const names = Array.from((await textOf('deploy/README.md')).matchAll(/`--([\w-]+)/g), ([, name = '']) => name);
  const options = settingNames.map((name) => name.replace(/[A-Z]/g, (letter) => `-${letter.toLowerCase()}`));
  expect(names.filter((name) => !options.includes(name))).toEqual([]);
  expect([settings.keepAlive.default, settings.stopTimeout.default]).toEqual([72_000, 10_000]);
});

const operations = await textOf('docs/reference/operations.md');

describe('the page of operations', () => {
  test('has every metric with its labels, and no other', async () => {
    const code = (await textOf('server/src/metrics/metrics.ts')).matchAll(
      /name: '(product_passport_\w+)',\s+help: .+\s+(?:labelNames: \[(.*)\])?/g,
    );
    const rows = operations.matchAll(/^\| `(product_passport_\w+)` +\| (.*?) +\|/gm);
    const measured = Array.from(code, ([, name, labels = '']) => [name, labels.replaceAll("'", '')]);
    expect(measured.length).toBeGreaterThan(7);
    expect(Array.from(rows, ([, name, labels = '']) => [name, labels.replaceAll('`', '').trim()])).toEqual(measured);
  });

  test('has every member of the line of a request', () => {
    const logged: object[] = [];
    const log = { info: (line: object) => void logged.push(line) } as unknown as Log;
    requestLog(
      log,
      1,
    )({
      requestId: 'id',
      status: 200,
      isPublic: false,
      duration: 1,
    } as FinishedRequest);
    const [, table = ''] = /^\| Member .*\n\| -.*\n((?:\|.*\n)+)/m.exec(operations) ?? [];
    expect(Array.from(table.matchAll(/^\| `(\w+)`/gm), ([, member]) => member)).toEqual(Object.keys(logged[0] ?? {}));
  });

  test('has the defaults of the settings', () => {
    const shown = operations.matchAll(/`--([\w-]+)`, (none|[\d,]+)/g);
    const defaults = Array.from(shown, ([, option = '', value = '']) => {
      const name = option.replace(/-(\w)/g, (_, letter: string) => letter.toUpperCase());
      return [
        option,
        Number(value.replace('none', '0').replace(',', '')),
        settings[name as keyof typeof settings].default,
      ];
    });
    expect(defaults).toHaveLength(4);
    for (const [option, shown, used] of defaults) expect([option, shown]).toEqual([option, used]);
    const { keepScans, keepAlive, statementTimeout, lockTimeout } = settings;
    expect(operations).toContain(`for ${keepScans.default} days (\`--keep-scans\`)`);
    expect(operations).toContain(`for ${keepAlive.default / 1000} seconds (\`--keep-alive\`)`);
    expect(operations).toContain(` ${statementTimeout.default / 1000} seconds (\`--statement-timeout\`)`);
    expect(operations).toContain(` ${lockTimeout.default / 1000} seconds (\`--lock-timeout\`)`);
  });
});

describe.each(['threats', 'invariants'])('the page of %s', (page) => {
  const rows = async () => {
    const lines = (await textOf(`docs/explanation/${page}.md`))
      .split('\n')
      .filter((line) => /^\| (?!---|Asset|Always true)/.test(line));
    return lines.map((line) => line.split('|').map((cell) => cell.trim()));
  };

  test('names code that exists', async () => {
    const all = await rows();
    expect(all.length).toBeGreaterThan(10);
    for (const [, asset, second = '', where = ''] of all) {
      const files = Array.from(`${second} ${where}`.matchAll(/`([\w./-]+\/[\w.-]+)`/g), ([, file = '']) => file);
      expect([asset, files.filter((file) => !existsSync(join(root, file)))]).toEqual([asset, []]);
      expect([asset, files.length > 0]).toEqual([asset, true]);
    }
  });

  test('names tests that exist, by a part of their title', async () => {
    for (const [, , , , cell = ''] of await rows()) {
      const [, file = '', title = ''] = /^`(test\/[\w/.-]+\.test\.ts)`: (.+)$/.exec(cell) ?? [];
      const source = await textOf(file);
      const titles = source.split('\n').filter((line) => /^\s*(?:test|describe|[()\]'])[^'"`]*\(?.*['"`]/.test(line));
      expect([cell, titles.some((line) => line.toLowerCase().includes(title.toLowerCase()))]).toEqual([cell, true]);
    }
  });
});
