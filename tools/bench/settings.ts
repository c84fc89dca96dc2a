/** How long and how thoroughly to measure. */
export interface Settings {
  /** Only check that everything runs. */
  isQuick: boolean;
  /** The length of one round of load, in seconds. */
  seconds: number;
  /** Rounds of each program, an odd number, so that there is a middle. */
  rounds: number;
  /** A temporary folder for databases. */
  folder: string;
  /** Makes a new PostgreSQL database, and returns its address. */
  newPostgres: () => Promise<string>;
  /** Shows progress. */
  say: (line: string) => void;
}

/** The middle of the sorted numbers. */
export function median(numbers: readonly number[]): number {
  return numbers.toSorted((a, b) => a - b)[numbers.length >> 1] ?? Number.NaN;
}
