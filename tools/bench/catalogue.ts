/** Builds a tenant with many products and scan counts, beside a tenant with fewer and one with a single product. */
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { root } from '../../test/support/program.ts';
import { type Account, addTenant, keyFor, newProduct, tenantOf, withDatabase } from './data.ts';

export interface Catalogue {
  /** The tenant with many products. */
  large: Account;
  /** Another tenant with a tenth of them. */
  second: Account;
  /** A third tenant with one product. */
  neighbour: Account;
}

export interface Amounts {
  products: number;
  /** Rows of scan counts in the last 365 days. */
  countRows: number;
}

const built = new Map<string, Promise<Catalogue>>();

/** Fills an empty database, or returns what an earlier call filled it with. */
export function buildCatalogue(address: string, amounts: Amounts): Promise<Catalogue> {
  const catalogue = built.get(address) ?? build(address, amounts);
  built.set(address, catalogue);
  return catalogue;
}

async function build(address: string, { products, countRows }: Amounts): Promise<Catalogue> {
  const amounts = ['--products', String(products), '--scan-counts', String(countRows)];
  // A command migrates only files that it creates.
  if (address.startsWith('postgres:')) await productPassport('migrate', '--database', address);
  await productPassport('demo', 'fill', '--tenant', 'large', ...amounts, '--database', address);
  const tenth = String(products / 10);
  await productPassport('demo', 'fill', '--tenant', 'second', '--products', tenth, '--database', address);
  return withDatabase(address, async (database) => {
    const neighbour = await addTenant(database, 'neighbour');
    await newProduct(database, await tenantOf(database, 'neighbour'), 'Small product');
    return { large: await keyFor(database, 'large'), second: await keyFor(database, 'second'), neighbour };
  });
}

/** Runs a command of the command line, with its progress on standard error. */
async function productPassport(...words: string[]): Promise<void> {
  const child = spawn(process.execPath, ['server/src/cli/main.ts', ...words], {
    cwd: root,
    stdio: ['ignore', 'ignore', 'inherit'],
  });
  const [code] = await once(child, 'exit');
  if (code !== 0) throw new Error(`product-passport ${words.join(' ')} ended with ${code}.`);
}
