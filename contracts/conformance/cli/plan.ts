import type { Command } from 'commander';
import { type Claim, type Need, needs as sentences } from '../claims.ts';
import { type Plan, planOf } from '../plan.ts';
import { claimOption, listOf } from './options.ts';

interface Options {
  readonly claim: readonly Claim[];
  readonly only?: readonly string[];
  readonly readOnly?: boolean;
  readonly json?: boolean;
}

export function addPlanCommand(program: Command): void {
  program
    .command('plan')
    .description('Show what verify would send, create, and count as a scan. Nothing is sent.')
    .addOption(claimOption())
    .option('--only <ids>', 'only cases whose id begins with one of these, separated by commas', listOf)
    .option('--read-only', 'as with --read-only of verify')
    .option('--json', 'print one line of JSON')
    .action(async ({ claim, only, readOnly = false, json = false }: Options) => {
      const plan = await planOf({ claims: claim, isReadOnly: readOnly, ...(only === undefined ? {} : { only }) });
      process.stdout.write(`${json ? JSON.stringify(plan) : textOf(plan)}\n`);
    });
}

function textOf({ claims: claimed, cases, needs, requests, created, scans }: Plan): string {
  const total = Object.values(requests).reduce((sum, count) => sum + count, 0);
  const lines = Object.entries(requests).map(([name, count]) => `  ${String(count).padStart(5)}  ${name}`);
  const products = created.map(({ tenant, slug }) => `  ${slug} (${tenant} tenant)`);
  return [
    `${cases} cases of ${claimed.join(', ')}. The numbers are those of a small provider with all states.`,
    '',
    `It sends about ${total} requests:`,
    ...lines,
    'Then it sends generated requests for as long as --generated of verify says.',
    '',
    created.length === 0
      ? 'It creates no product.'
      : `A first run creates ${created.length} products, which stay. A later run finds most of them and adds at most five:`,
    ...products,
    '',
    ...suppliesOf(needs),
    `It requests ${scans} passport pages. Each counts as a scan.`,
  ].join('\n');
}

function suppliesOf(needs: Plan['needs']): string[] {
  const lines = Object.entries(needs).map(
    ([need, count]) => `  ${need} (${count === 1 ? '1 case' : `${count} cases`}): ${sentences[need as Need]}`,
  );
  if (lines.length === 0) return [];
  return ['These states must exist, be in the provider file, or come from its state URL:', ...lines, ''];
}
