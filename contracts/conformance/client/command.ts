/** Runs the program: a shell command, with the address and the key of the service in its environment. */
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { endGroup } from '../process-group.ts';
import { addressVariable, keyVariable, type Provider } from '../provider.ts';
import type { Ending } from './received.ts';

export interface CommandOptions {
  readonly command: string;
  readonly provider: Provider;
  /** Whether the output of the command is shown. */
  readonly isShown: boolean;
  /** Ends the command and its children. */
  readonly signal: AbortSignal;
}

export async function runCommand({ command, provider, isShown, signal }: CommandOptions): Promise<Ending> {
  if (signal.aborted) return 'interrupted';
  const output = isShown ? 'inherit' : 'ignore';
  // A group of its own, so that a shell's or npx's children end too.
  const child = spawn(command, {
    shell: true,
    detached: true,
    stdio: ['ignore', output, output],
    env: { ...process.env, ...environmentOf(provider) },
  });
  const ended = once(child, 'exit');
  const stop = () => void endGroup(child);
  signal.addEventListener('abort', stop);
  process.once('exit', stop);
  try {
    const [code, name] = await ended;
    // Children that the shell left behind.
    await endGroup(child);
    if (signal.aborted) return 'interrupted';
    return { kind: 'ended', isSuccess: code === 0, words: name === null ? `with ${code}` : `after ${name}` };
  } finally {
    signal.removeEventListener('abort', stop);
    process.off('exit', stop);
  }
}

function environmentOf({ base_url, tenants }: Provider): Record<string, string> {
  const { NO_PROXY = '', no_proxy = NO_PROXY } = process.env;
  // A proxy of the environment cannot reach the loopback interface of this machine.
  const noProxy = [no_proxy, '127.0.0.1'].filter(Boolean).join(',');
  return {
    [addressVariable]: base_url,
    [keyVariable]: tenants?.[0]?.api_key ?? '',
    NO_PROXY: noProxy,
    no_proxy: noProxy,
  };
}
