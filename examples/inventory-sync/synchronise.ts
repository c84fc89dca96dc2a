import type { Client } from '@product-passport/sdk';
import { eachInOrder } from '@product-passport/sdk/bulk';
import { type Article, isRejection, readArticle } from './article.ts';
import { bring } from './bring.ts';
import type { ExportRecord } from './export.ts';
import { type Outcome, outcomeOfFailure } from './outcome.ts';
import { createRepeatFinder } from './repeats.ts';
import { Report } from './report.ts';

/** How many articles are in progress at a time. */
const width = 4;

export interface Synchronised {
  readonly report: Report;
  /** The reason why the run ended early. */
  readonly obstacle: string | undefined;
}

/**
 * Imports the records until the last one, a failure that ends the run, or `interruption`. Then finishes the articles in
 * progress, if the service still responds.
 */
export async function synchronise(
  client: Client,
  records: AsyncIterable<ExportRecord>,
  interruption: AbortSignal,
  onProgress: (done: number) => void,
): Promise<Synchronised> {
  const report = new Report();
  const failed = new AbortController();
  const stop = AbortSignal.any([interruption, failed.signal]);
  let obstacle: string | undefined;

  const work = async (row: Article | Outcome): Promise<Outcome> => {
    if ('kind' in row) return row;
    try {
      const brought = await bring(client, row);
      return { kind: brought.kind, article: row, brought };
    } catch (error) {
      const outcome = outcomeOfFailure(row, error);
      if (outcome.kind === 'open' && !stop.aborted) {
        obstacle = outcome.why;
        failed.abort();
      }
      return outcome;
    }
  };

  for await (const outcome of eachInOrder(readRows(records, stop), work, { concurrency: width })) {
    if (!outcome.ok) throw outcome.error;
    report.add(outcome.value);
    onProgress(report.done);
  }
  return { report, obstacle };
}

/** Yields each article, or the result of a row that needs no request. Ends early when `stop` fires. */
async function* readRows(records: AsyncIterable<ExportRecord>, stop: AbortSignal): AsyncGenerator<Article | Outcome> {
  const repeatOf = createRepeatFinder();
  for await (const record of records) {
    if (stop.aborted) return;
    const row = readArticle(record);
    if (isRejection(row)) {
      yield { kind: 'rejected', row };
      continue;
    }
    const repeat = repeatOf(row);
    if (!repeat) yield row;
    else {
      const { line, number } = row;
      yield { kind: repeat.kind === 'same' ? 'repeated' : 'rejected', row: { line, number, reason: repeat.reason } };
    }
  }
}
