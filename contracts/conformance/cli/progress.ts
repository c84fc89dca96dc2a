/** Progress of a run: one line that is rewritten on a terminal, plain lines in a pipe. */
import { countsOf, type Result, type Run } from '../result.ts';

interface Stream {
  readonly isTTY?: boolean;
  write(text: string): unknown;
}

export interface Progress {
  readonly onResult: (result: Result, done: number, total: number) => void;
  end(run: Run): void;
}

export function progressOn(stream: Stream): Progress {
  const clear = stream.isTTY ? '\r\u001b[K' : '';
  return {
    onResult(result, done, total) {
      if (result.status !== 'passed') {
        stream.write(`${clear}${result.status.padEnd(8)} ${result.id}: ${result.reasons[0] ?? ''}\n`);
      }
      if (stream.isTTY) stream.write(`${clear}${done} of ${total} cases`);
    },
    end({ verdict, because, results }) {
      const counts = Object.entries(countsOf(results)).filter(([, count]) => count > 0);
      stream.write(`${clear}${counts.map(([status, count]) => `${count} ${status}`).join(', ')}\n`);
      stream.write(`${verdict}${because === undefined ? '' : `: ${because}`}\n`);
    },
  };
}
