/** The frozen cases of contract version 1. A case that is not in the file is newer, and does not count. */
import { readFileSync } from 'node:fs';
import type { Claim } from './claims.ts';

export interface Requirement {
  readonly id: string;
  readonly claim: Claim;
  readonly title: string;
  readonly clause: string;
}

const file = new URL('../requirements/1.json', import.meta.url);

export function requirements(): readonly Requirement[] {
  return JSON.parse(readFileSync(file, 'utf8')).cases;
}

/** The ids of the cases that count. */
export function required(): ReadonlySet<string> {
  return new Set(requirements().map(({ id }) => id));
}
