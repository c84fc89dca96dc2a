/** Runs Pact's verifier for one interaction at a time, so that each interaction has its own result. */
import { type ChildProcess, fork } from 'node:child_process';
import { once } from 'node:events';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { isRecord, member } from '@product-passport/openapi';
import { jsonIn } from '../conformance/request-faults.ts';
import { type Interaction, type PactFile, provider } from '../pact-file.ts';

export interface Job {
  readonly id: number;
  readonly file: string;
  readonly provider: string;
  readonly url: string;
  readonly statesUrl: string;
}

export interface Outcome {
  readonly id: number;
  /** Pact's result as JSON. */
  readonly result: string;
}

export class PactVerifier {
  readonly #process: ChildProcess;
  readonly #directory: string;
  #jobs = 0;

  private constructor(process: ChildProcess, directory: string) {
    this.#process = process;
    this.#directory = directory;
  }

  static async start(): Promise<PactVerifier> {
    const script = fileURLToPath(new URL('pact-process.ts', import.meta.url));
    const env = { ...process.env, PACT_DO_NOT_TRACK: 'true' };
    const child = fork(script, { env, execArgv: [], stdio: ['ignore', 'ignore', 'inherit', 'ipc'] });
    return new PactVerifier(child, await mkdtemp(join(tmpdir(), 'pact-')));
  }

  /** Returns the mismatches in words. The list is empty if the provider keeps the interaction. */
  async mismatches(
    pact: PactFile,
    interaction: Interaction,
    { url, statesUrl }: Pick<Job, 'url' | 'statesUrl'>,
  ): Promise<readonly string[]> {
    this.#jobs += 1;
    const id = this.#jobs;
    const file = join(this.#directory, `${id}.json`);
    await writeFile(file, JSON.stringify({ ...pact, interactions: [interaction] }));
    return mismatchesIn(await this.#resultOf({ id, file, provider, url, statesUrl }));
  }

  async stop(): Promise<void> {
    const ended = once(this.#process, 'exit');
    if (this.#process.kill()) await ended;
    await rm(this.#directory, { recursive: true });
  }

  #resultOf(job: Job): Promise<string> {
    const pact = this.#process;
    return new Promise((resolve, reject) => {
      const settle = () => {
        pact.off('message', onMessage);
        pact.off('exit', onExit);
      };
      const onMessage = ({ id, result }: Outcome) => {
        if (id !== job.id) return;
        settle();
        resolve(result);
      };
      const onExit = (code: number | null) => {
        settle();
        reject(new Error(`Pact's process ended with ${code}.`));
      };
      pact.on('message', onMessage);
      pact.on('exit', onExit);
      pact.send(job);
    });
  }
}

function mismatchesIn(output: string): readonly string[] {
  const result = jsonIn(output);
  if (member(result, 'result') === true) return [];
  const results = member(result, 'interactionResults');
  const texts = (Array.isArray(results) ? results : []).flatMap((one) => {
    const { type, mismatches, message }: Record<string, unknown> = isRecord(one.mismatch) ? one.mismatch : {};
    if (!Array.isArray(mismatches)) return [`${type}: ${message ?? 'Pact gave no reason'}`];
    return mismatches.map(({ path, mismatch, type: kind }) => `${kind} ${path ?? ''}: ${mismatch}`);
  });
  return texts.length > 0 ? texts : [output];
}
