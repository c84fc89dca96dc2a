import ora from 'ora';

export interface Progress {
  update(done: number): void;
  end(): void;
}

/** Shows on standard error how far it is: on a terminal one line that moves, elsewhere a line every tenth of the way. */
export function showProgress(total: number): Progress {
  // Standard input is left alone, so that Ctrl+C is a signal.
  const spinner = ora({ stream: process.stderr, discardStdin: false });
  const isTerminal = process.stderr.isTTY === true;
  const text = (done: number) => `${done} of ${total} rows, ${Math.floor((100 * done) / Math.max(total, 1))} %`;
  let tenths = 0;
  if (isTerminal) spinner.start(text(0));
  return {
    update(done) {
      if (isTerminal) {
        spinner.text = text(done);
        return;
      }
      const reached = Math.floor((10 * done) / total);
      if (reached > tenths) process.stderr.write(`${text(done)}\n`);
      tenths = reached;
    },
    end() {
      spinner.stop();
    },
  };
}
