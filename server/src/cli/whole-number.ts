import { InvalidArgumentError } from 'commander';

/** Parses an option that is a whole number from 0 to a maximum. */
export function wholeNumber(maximum: number): (text: string) => number {
  return (text) => {
    const number = Number(text);
    if (!/^[0-9]+$/.test(text) || number > maximum)
      throw new InvalidArgumentError(`Use a whole number from 0 to ${maximum}.`);
    return number;
  };
}
