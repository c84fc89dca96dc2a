/** Progress of a run: one line that is rewritten on a terminal, plain lines in a pipe. */
import { familyNameOf } from '../report/families.ts';
import { isFault } from '../report/words.ts';
import { familyOf, type Result } from '../result.ts';

interface Stream {
  readonly isTTY?: boolean;
  /** The width of the terminal. */
  readonly columns?: number;
  write(text: string): unknown;
}

export interface Progress {
  readonly onResult: (result: Result, done: number, total: number) => void;
  /** Clears the line of a terminal. */
  end(): void;
}

const clear = '\r\u001b[K';

export function progressOn(stream: Stream): Progress {
  let failures = 0;
  return {
    onResult(result, done, total) {
      if (isFault(result)) failures += 1;
      const line = `${done} of ${total} cases · ${familyNameOf(familyOf(result))} · ${failures} failed`;
      if (stream.isTTY) rewrite(stream, line);
      // Reasons may hold secrets here. The report has them without, and lists skipped cases by what they need.
      else if (result.status !== 'passed' && result.status !== 'skipped')
        stream.write(`${result.status} ${result.id}: ${result.title}\n`);
    },
    end: () => end(stream),
  };
}

/** Progress of a run over services with a mistake: how many were tried, and how long the rest will take. */
export function scoreProgressOn(stream: Stream): Progress {
  let first = Number.NaN;
  let bad = 0;
  return {
    onResult(result, done, total) {
      if (isFault(result)) bad += 1;
      // The time before the first result is that of two runs without a mistake, and of the choice of services.
      if (Number.isNaN(first)) first = performance.now();
      const left = Math.ceil((((performance.now() - first) / (done - 1)) * (total - done)) / 1000);
      const time = left < 90 ? `${left} s` : `${Math.round(left / 60)} min`;
      const line = `${done} of ${total} services · ${bad} to look at${done > 1 ? ` · about ${time} left` : ''}`;
      if (stream.isTTY) rewrite(stream, line);
      else stream.write(`${line}\n`);
    },
    end: () => end(stream),
  };
}

/** A longer line would wrap, and only its last row could be rewritten. */
function rewrite(stream: Stream, line: string): void {
  stream.write(`${clear}${line.slice(0, (stream.columns ?? 80) - 1)}`);
}

function end(stream: Stream): void {
  if (stream.isTTY) stream.write(clear);
}
