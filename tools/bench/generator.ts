/** Sends the load: with wrk where it is installed, which is several times as fast as the server, otherwise with autocannon. */
import { type ChildProcess, execFile, fork, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import type { Load, Outcome } from './load.ts';

export const hasWrk = spawnSync('wrk', ['--version'], { stdio: 'ignore' }).error === undefined;

export class Generator {
  readonly #children: readonly ChildProcess[] = [0, 1].map(() =>
    fork(fileURLToPath(new URL('load.ts', import.meta.url)), {
      // The timer of autocannon (retimer) is set to a negative time if it fires late.
      execArgv: ['--disable-warning=ExperimentalWarning', '--disable-warning=TimeoutNegativeWarning'],
    }),
  );

  /** Runs one load. @throws if a request fails: a rate of errors says nothing */
  async run(load: Load): Promise<Outcome> {
    const outcome = await this.runAnyway(load);
    if (outcome.failures > 0) {
      const { method, requests } = load;
      throw new Error(`${method} ${requests[0]?.path} of ${load.host}: ${outcome.failures} requests failed.`);
    }
    return outcome;
  }

  /** Runs one load in which requests may fail. */
  async runAnyway(load: Load): Promise<Outcome> {
    // wrk counts seconds, no requests.
    if ('requests' in load.until || load.connections < 2) return this.#send(0, load);
    if (hasWrk) return runWrk(load, load.until.seconds);
    const half = Math.ceil(load.connections / 2);
    const halves = [half, load.connections - half];
    const [one, other] = await Promise.all(
      halves.map((connections, index) => this.#send(index, { ...load, connections })),
    );
    if (!one || !other) throw new Error('A generator did not respond.');
    return {
      rate: one.rate + other.rate,
      total: one.total + other.total,
      latency: {
        median: (one.latency.median + other.latency.median) / 2,
        p99: Math.max(one.latency.p99, other.latency.p99),
      },
      failures: one.failures + other.failures,
      busy: Math.max(one.busy, other.busy),
    };
  }

  async #send(index: number, load: Load): Promise<Outcome> {
    const child = this.#children[index];
    if (!child) throw new Error('There are two generators.');
    const report = once(child, 'message');
    child.send(load);
    const [outcome] = await report;
    return outcome;
  }

  stop(): void {
    for (const child of this.#children) child.disconnect();
  }
}

/** One thread of wrk. `times` of the shell tells its processor time. */
async function runWrk(load: Load, seconds: number): Promise<Outcome> {
  const script = join(tmpdir(), `bench-${process.pid}-${Math.random()}.lua`);
  await writeFile(script, scriptOf(load));
  const words = [
    '--threads=1',
    `--connections=${load.connections}`,
    `--duration=${Math.max(1, Math.round(seconds))}s`,
    '--latency',
    `--script=${script}`,
    load.host,
  ];
  const { stdout } = await promisify(execFile)('bash', ['-c', 'wrk "$@"; times', 'bash', ...words]);
  await rm(script);
  return outcomeOf(stdout);
}

/** The load in Lua, the language of wrk's scripts. */
function scriptOf({ method, headers, requests }: Load): string {
  const text = (value: string): string => `[==[${value}]==]`;
  const fields = Object.entries(headers).map(([name, value]) => `wrk.headers[ ${text(name)} ] = ${text(value)}`);
  const all = requests.map(({ path, body }) => `{ ${text(path)}, ${body === undefined ? 'nil' : text(body)} }`);
  return `
${fields.join('\n')}
local requests = { ${all.join(',\n')} }
local id = ${text(`${process.pid}-${Date.now()}-`)}
local sent = 0
request = function()
  sent = sent + 1
  local path, body = unpack(requests[sent % #requests + 1])
  if body then body = body:gsub('%[<id>%]', id .. sent) end
  return wrk.format('${method}', path, nil, body)
end
`;
}

function outcomeOf(output: string): Outcome {
  const [, total = '0', seconds = '1'] = /(\d+) requests in ([\d.]+)s/.exec(output) ?? [];
  const latency = (percent: number): number => {
    const [, value = 'NaN', unit = ''] = new RegExp(`^ +${percent}% +([\\d.]+)(us|ms|s)$`, 'm').exec(output) ?? [];
    return Number(value) * ({ us: 0.001, ms: 1, s: 1000 }[unit] ?? Number.NaN);
  };
  const [, wrong = '0'] = /Non-2xx or 3xx responses: (\d+)/.exec(output) ?? [];
  const [, errors = ''] = /Socket errors: (.*)/.exec(output) ?? [];
  // The second line of `times` has the children: user and system.
  const times = [...output.matchAll(/(\d+)m([\d.]+)s/g)]
    .slice(-2)
    .map(([, minutes, rest]) => Number(minutes) * 60 + Number(rest));
  return {
    rate: Number(total) / Number(seconds),
    total: Number(total),
    latency: { median: latency(50), p99: latency(99) },
    failures: [wrong, ...(errors.match(/\d+/g) ?? [])].reduce((sum, each) => sum + Number(each), 0),
    busy: times.reduce((sum, each) => sum + each, 0) / Number(seconds),
  };
}
