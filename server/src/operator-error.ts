/** What a person asked for cannot be done. The message says what is wrong and what to do next. */
export class OperatorError extends Error {
  override readonly name: string = 'OperatorError';
  readonly exitCode: 1 | 2;

  /** @param exitCode of a command: 2 if an option, an argument, a value or a file is wrong */
  constructor(message: string, exitCode: 1 | 2 = 1, options?: ErrorOptions) {
    super(message, options);
    this.exitCode = exitCode;
  }
}
