import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import path from 'node:path';

/** A running Prism. */
export interface Prism {
  /** Its URL without a trailing slash. */
  readonly host: string;
  stop(): Promise<void>;
}

/** Starts the mock as `npm run mock` does, but on a free port and without Prism's CORS headers, which would hide the contract's. */
export async function startPrism(): Promise<Prism> {
  const checkout = path.resolve(import.meta.dirname, '../..');
  const command = path.join(checkout, 'node_modules/@stoplight/prism-cli/dist/index.js');
  const started: ChildProcess & { stdout: NodeJS.ReadableStream; stderr: NodeJS.ReadableStream } = spawn(
    process.execPath,
    [command, 'mock', 'openapi.yaml', '--port', '0', '--cors', 'false'],
    { cwd: checkout, env: { ...process.env, NODE_OPTIONS: '', NO_COLOR: '1' }, stdio: ['ignore', 'pipe', 'pipe'] },
  );
  const host = await new Promise<string>((resolve, reject) => {
    let output = '';
    const read = (chunk: Buffer): void => {
      output += chunk.toString();
      const address = /listening on (http:\S+)\s/.exec(output)?.[1];
      if (address !== undefined) resolve(address);
    };
    started.stdout.on('data', read);
    started.stderr.on('data', read);
    started.once('exit', (code) => reject(new Error(`Prism ended with ${code}:\n${output}`)));
  });
  return {
    host,
    stop: async () => {
      if (started.exitCode === null && started.kill()) await once(started, 'exit');
    },
  };
}
