/** A violation of the contract by a response. */
export interface Finding {
  /** `status`, `content-type`, `header Allow`, or a JSON pointer into the body, as in `body/items/0/gtin`. */
  readonly where: string;
  /** What is wrong there, as in `is missing`. */
  readonly what: string;
  readonly severity: Severity;
}

/** A `warning` is an addition that the rules `description` allow. By the rules `reference` there are only failures. */
type Severity = 'failure' | 'warning';

export function failure(where: string, what: string): Finding {
  return { where, what, severity: 'failure' };
}

export function warning(where: string, what: string): Finding {
  return { where, what, severity: 'warning' };
}

/** The names and indexes that lead to the place: `['items', '0']` for `body/items/0`. */
export function stepsOf(pointer: string): string[] {
  const [, ...steps] = pointer.split('/');
  return steps.map((step) => step.replaceAll('~1', '/').replaceAll('~0', '~'));
}

/** A value as text for a finding, cut to 200 characters. */
export function shown(value: unknown): string {
  const text = JSON.stringify(value) ?? 'missing';
  return text.length > 200 ? `${beginningOf(text, 200)}…` : text;
}

/** The beginning of a text, as a copy. A slice would keep the whole text in memory. */
export function beginningOf(text: string, length: number): string {
  return Buffer.from(text.slice(0, length)).toString();
}
