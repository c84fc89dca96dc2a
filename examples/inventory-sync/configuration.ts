import { resolve } from 'node:path';
import { fileURLToPath } from 'node:url';

export interface Configuration {
  readonly baseUrl: string;
  readonly apiKey: string;
  readonly file: string;
}

/** The arguments, the environment or the file are unusable. The message says what to do. */
export class UsageError extends Error {
  override readonly name = 'UsageError';
}

const usage = `PRODUCT_PASSPORT_URL and PRODUCT_PASSPORT_KEY say where the service is and who asks:

  export PRODUCT_PASSPORT_URL=http://127.0.0.1:3000/api/v1
  export PRODUCT_PASSPORT_KEY=ppk_…
  npm start -w examples/inventory-sync -- [file.csv]
`;

/** Reads the key only from the environment: every process on the machine can read a command line. */
export function readConfiguration(args: readonly string[], env: NodeJS.ProcessEnv): Configuration {
  const [file, ...more] = args;
  if (more.length > 0 || file?.startsWith('-')) throw new UsageError(`One file at most is expected.\n\n${usage}`);
  const { PRODUCT_PASSPORT_URL: baseUrl, PRODUCT_PASSPORT_KEY: apiKey } = env;
  if (!baseUrl) throw new UsageError(`PRODUCT_PASSPORT_URL is not set.\n\n${usage}`);
  if (!apiKey) throw new UsageError(`PRODUCT_PASSPORT_KEY is not set.\n\n${usage}`);
  // npm runs a script in the folder of its package; INIT_CWD is where the command was typed.
  const folder = env.INIT_CWD ?? process.cwd();
  const sample = fileURLToPath(new URL('inventory.csv', import.meta.url));
  return { baseUrl, apiKey, file: file === undefined ? sample : resolve(folder, file) };
}
