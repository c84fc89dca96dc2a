import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { expect, test } from '@jest/globals';
import { growthPlot } from '../../tools/bench/plot.ts';
import { tables, withTables } from '../../tools/bench/report.ts';
import { root } from '../support/program.ts';

const read = (name: string): Promise<string> => readFile(join(root, 'docs/reference', name), 'utf8');

test('the page and the plot show the results of the last run', async () => {
  const results = JSON.parse(await read('performance/results.json'));
  const before = JSON.parse(await read('performance/before.json'));
  const page = await read('performance.md');
  expect(withTables(page, tables(results, before))).toBe(page);
  expect(page.match(/<!-- bench:\w+ -->/g)).toHaveLength(4);
  expect(await read('performance/growth.svg')).toBe(growthPlot(results.growth, before.growth));
});
