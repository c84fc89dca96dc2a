/** A program survives what a later version of the contract adds. */
import { type ClientCheck, type ClientRun, type Findings, survival } from '../check.ts';
import type { Received } from '../received.ts';

const clause = '/info/description';

export const growth: readonly ClientCheck[] = [
  {
    id: 'CLIENT-4.fields',
    title: 'The program survives a field that it does not know.',
    clause,
    findings: (run) => survived(run, 'fields', 'responses have a field that the program does not know', hasJson),
  },
  {
    id: 'CLIENT-4.values',
    title: 'The program survives a value of an open set that it does not know.',
    clause,
    findings: (run) => survived(run, 'values', 'responses have a value that the program does not know', hasNewValue),
  },
];

function survived(
  run: ClientRun,
  kind: 'fields' | 'values',
  what: string,
  isMeant: (received: Received) => boolean,
): Findings {
  if (!run.main.received.some(isMeant)) return { notExercised: 'No response had one.' };
  return survival(run, kind, what);
}

function hasJson({ exchange: { response } }: Received): boolean {
  return response?.status === 200 && response.text.includes('"added_later":');
}

function hasNewValue({ exchange: { response } }: Received): boolean {
  return response?.status === 200 && response.text.includes(':"added_later"');
}
