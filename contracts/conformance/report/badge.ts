/** `badge.json`: the endpoint format of shields.io. */
import type { Report } from './report.ts';

/** Nothing unless every case passed, so that a badge never hides a skip or a known failure. */
export function badgeOf({ verdict, command, claims, contract_version, started_at, cases }: Report): object | undefined {
  if (command !== undefined || verdict !== 'conformant' || cases.some(({ status }) => status !== 'passed'))
    return undefined;
  return {
    schemaVersion: 1,
    label: 'product passport API',
    message: `${claims.join(', ')} · contract ${contract_version} · ${started_at.slice(0, 10)}`,
    color: 'brightgreen',
  };
}
