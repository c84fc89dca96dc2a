/** The command line of the suite. */
import { type Command, CommanderError } from 'commander';
import { newProgram, printError } from '../../../server/src/command-line/command.ts';
import { explanationOf, failureOf } from '../../../server/src/command-line/failures.ts';
import { type Claim, type Need, needs as sentences } from '../claims.ts';
import { type Plan, planOf } from '../plan.ts';
import { exitCodes, UsageError } from '../result.ts';
import { suiteVersion } from '../verify.ts';
import { claimOption, listOf } from './options.ts';
import { addVerifyCommand } from './verify.ts';

/** The name of this program in its messages. */
export const name = 'product-passport-contracts';

const examples = `
Examples:
  Test a service:
    product-passport-contracts verify --base-url https://passport.example.com/api/v1
  Test a program that uses a service:
    product-passport-contracts verify client --command 'npm test'
  Test the EU's reads of any provider:
    product-passport-contracts verify dpp https://passport.example.com/dpp/v1 --product 09520001200045
  See what a test sends and creates, without sending it:
    product-passport-contracts plan

Findings go to standard output, progress to standard error.
Exit codes: 0 everything that was asked for passed, 1 a failure, 2 a wrong option, address, key or file, 3 something could not
run, 4 a mistake of the suite.`;

/**
 * The command line.
 *
 * @param onExit receives the exit code of a command that ran
 */
export function createProgram(parameters: readonly string[], onExit: (code: number) => void): Command {
  const program = newProgram(name, parameters.includes('--json'))
    .description(
      'Tests a service, a client or recorded traffic against the contract of the Product Passport Service API.',
    )
    .version(suiteVersion())
    .enablePositionalOptions()
    .addHelpText('after', examples);
  addVerifyCommand(program, parameters, onExit);
  addInitCommand(program);
  addPlanCommand(program);
  return program;
}

/** Returns the exit code. A failure of the suite itself proves nothing about the provider. */
export async function runProgram(parameters: readonly string[]): Promise<number> {
  let exitCode = 0;
  const program = createProgram(parameters, (code) => {
    exitCode = code;
  });
  try {
    await program.parseAsync(parameters, { from: 'user' });
    return exitCode;
  } catch (error) {
    if (error instanceof CommanderError) return error.exitCode === 0 ? 0 : exitCodes.usage;
    const message = error instanceof UsageError ? error.message : explanationOf(error);
    printError(name, message, parameters.includes('--json'));
    return exitCodeOf(error);
  }
}

/** What the user or the machine can repair is not a mistake of the suite. */
export function exitCodeOf(error: unknown): number {
  return error instanceof UsageError || failureOf(error) ? exitCodes.usage : exitCodes['suite error'];
}

/** A provider file whose comments say what each member is for. `verify` ignores lines that begin with `//`. */
const template = `{
  // The API's base address. It ends in /api/v1.
  "base_url": "http://127.0.0.1:3000/api/v1",

  // The root of the public pages, /p/... and /01/... Without it: base_url without /api/v1.
  "site_url": "http://127.0.0.1:3000",

  // The first tenant is used throughout: the suite creates products named verify-... in it.
  // The second tenant shows that tenants are separated. The suite creates one product in it.
  "tenants": [
    { "slug": "first-tenant", "api_key": "..." },
    { "slug": "second-tenant", "api_key": "..." }
  ],

  // Another key of the first tenant, which may publish and archive products. The one above may not.
  "publishing_api_key": "...",

  // A key that was valid and has been revoked.
  "revoked_api_key": "...",

  // An active product with a GTIN, with values of every access level, and with a public text that has a tag in it, such as
  // <b>verified</b>. Without it: the first active product in the list. Both tenants need one more active product with a
  // restricted value, which tokens of this one must not open.
  "active_product": { "tenant": "first-tenant", "slug": "active-product" },

  // At least two field keys that passports accept. Without them: keys of existing passports.
  "field_keys": ["material", "weight"],

  // Tokens for the query parameter zugang. "product": null opens every product of the tenant.
  "access_tokens": [
    { "tenant": "first-tenant", "product": "active-product", "role": "recycler", "token": "..." },
    { "tenant": "first-tenant", "product": null, "role": "inspector", "token": "..." },
    { "tenant": "first-tenant", "product": null, "role": "recycler", "token": "...", "revoked": true }
  ],

  // A token that has expired.
  "expired_access_token": "...",

  // What the provider does not have, with the reason. Its cases do not count. "expired_access_token" above then goes.
  // "without": { "expiring tokens": "tokens end by revocation only" },

  // The state endpoint of a test environment. It sets up what is missing above. Remove the line if there is none.
  "state_url": "http://127.0.0.1:3001"
}
`;

function addInitCommand(program: Command): void {
  program
    .command('init')
    .description('print a commented template of the provider file')
    .action(() => {
      process.stdout.write(template);
    });
}

interface Options {
  readonly claim: readonly Claim[];
  readonly only?: readonly string[];
  readonly json?: boolean;
}

function addPlanCommand(program: Command): void {
  program
    .command('plan')
    .description('show what verify would send, create, and count as a scan; nothing is sent')
    .addOption(claimOption())
    .option('--only <ids>', 'only cases whose id begins with one of these, separated by commas', listOf)
    .option('--json', 'print one line of JSON')
    .action(async ({ claim, only, json = false }: Options) => {
      const plan = await planOf({ claims: claim, only });
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
