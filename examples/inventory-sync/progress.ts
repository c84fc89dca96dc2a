export interface Progress {
  update(done: number): void;
  end(): void;
}

/** Shows the progress on standard error: on a terminal in one line, elsewhere in a line for every 10 percent. */
export function showProgress(total: number): Progress {
  const { stderr } = process;
  let shown = '';
  let tenths = 0;
  return {
    update(done) {
      const reached = Math.floor((10 * done) / total);
      const text = `${done} of ${total} rows, ${Math.floor((100 * done) / total)} %`;
      if (stderr.isTTY) stderr.write(`\r${text.padEnd(shown.length)}`);
      else if (reached > tenths) stderr.write(`${text}\n`);
      shown = text;
      tenths = reached;
    },
    end() {
      if (stderr.isTTY) stderr.write(`\r${' '.repeat(shown.length)}\r`);
    },
  };
}
