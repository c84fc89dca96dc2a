/** A mistake as an edit of one file. */
export interface Edit {
  /** Lower case with hyphens. */
  readonly id: string;
  /** What the file does wrong, in one sentence. */
  readonly mistake: string;
  /** Text that the file contains exactly once. */
  readonly find: string;
  readonly replace: string;
}

/** @throws if the text is missing or ambiguous, so that an edit never changes nothing */
export function edited(text: string, { id, find, replace }: Edit): string {
  const [before, after, ...more] = text.split(find);
  if (before === undefined || after === undefined) throw new Error(`${id}: the file does not contain ${find}`);
  if (more.length > 0) throw new Error(`${id}: the file contains ${find} more than once`);
  return `${before}${replace}${after}`;
}
