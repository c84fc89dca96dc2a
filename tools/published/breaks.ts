import { contractOf } from '../../openapi/src/index.ts';
import { contractFacts } from './contract.ts';
import { factBreaks } from './facts.ts';
import type { Snapshot } from './snapshot.ts';

/** What a version breaks that programs or data of users rely on, in one sentence each. */
export function breaksOf(old: Snapshot, now: Snapshot): string[] {
  const contract = ({ contract }: Snapshot) => contractFacts(contractOf(contract));
  return [
    ...named('openapi.yaml', factBreaks(contract(old), contract(now))),
    ...(mayBreakSdk(old.version, now.version) ? [] : named('SDK', factBreaks(old.exports, now.exports))),
    ...named(
      'Case ids',
      old.caseIds.filter((id) => !now.caseIds.includes(id)).map((id) => `${id} is gone`),
    ),
    ...named('Schema', schemaBreaks(old, now)),
  ];
}

/** Semantic versioning: a major version may break exports, and before 1.0 a minor version may, too. */
function mayBreakSdk(old: string, now: string): boolean {
  const [oldMajor, oldMinor] = old.split('.');
  const [major, minor] = now.split('.');
  return major !== oldMajor || (major === '0' && minor !== oldMinor);
}

/** A published migration has run in databases of users: it stays as it is, and later ones come after it. */
function schemaBreaks(old: Snapshot, now: Snapshot): string[] {
  const isSameOrder = old.migrations.every((name, index) => now.migrations[index] === name);
  const changed = Object.keys(old.migrationFiles).filter(
    (file) => now.migrationFiles[file] !== old.migrationFiles[file],
  );
  return [
    ...changed.map((file) => `${file} has changed. Write a new migration`),
    ...(isSameOrder ? [] : [`the migrations no longer begin with ${old.migrations.join(', ')}`]),
    ...old.schema.filter((sql) => !now.schema.includes(sql)).map((sql) => `a new database no longer has: ${sql}`),
    ...now.schema
      .filter((sql) => !old.schema.includes(sql))
      .map((sql) => `the published migrations now create: ${sql}`),
  ];
}

function named(part: string, breaks: readonly string[]): string[] {
  return breaks.map((text) => `${part}: ${text}.`);
}
