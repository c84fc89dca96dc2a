import ora from 'ora';

export interface Progress {
  update(done: number): void;
  end(): void;
}

/** Shows the progress on standard error: on a terminal in one moving line, elsewhere in a line for every 10 percent. */
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
