import { createHash } from 'node:crypto';
import { mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { Session } from 'node:inspector/promises';
import { stripTypeScriptTypes } from 'node:module';
import { tmpdir } from 'node:os';
import { dirname, join, relative } from 'node:path';
import { fileURLToPath } from 'node:url';
import Environment from '../test/support/environment.js';

const root = join(import.meta.dirname, '..');
const isSource = /^(?:(?:openapi|sdk|server)\/src|contracts\/(?:conformance|judge))\/.*(?<!\.test)\.ts$/;

async function startCoverage() {
  const session = new Session();
  session.connect();
  await session.post('Profiler.enable');
  await session.post('Profiler.startPreciseCoverage', { callCount: true, detailed: true });
  return session;
}

let session;

/** The characters of each source file that were executed. */
class Executed {
  /** 1 for each executed character, by file. */
  #files = new Map();

  add(scripts) {
    for (const { url, functions } of scripts) {
      const [path] = (url.startsWith('file:') ? fileURLToPath(url) : url).split('?');
      const file = relative(root, path);
      if (isSource.test(file)) this.#paint(file, functions);
    }
  }

  #paint(file, functions) {
    const ranges = functions.flatMap((each) => each.ranges);
    const painted = new Uint8Array(Math.max(0, ...ranges.map(({ endOffset }) => endOffset)));
    // V8 lists an inner range after the range around it.
    for (const { startOffset, endOffset, count } of ranges) painted.fill(Number(count > 0), startOffset, endOffset);
    const before = this.#files.get(file) ?? painted;
    for (let index = 0; index < before.length; index += 1) painted[index] ||= before[index];
    this.#files.set(file, painted);
  }

  toJSON() {
    return Object.fromEntries(Array.from(this.#files, ([file, painted]) => [file, describe(file, painted)]));
  }
}

/** @returns the hash of the file, and its executed ranges: start, end, start, end, … */
function describe(file, painted) {
  const ranges = [];
  for (let index = 0; index <= painted.length; index += 1) {
    if ((painted[index] ?? 0) !== (painted[index - 1] ?? 0)) ranges.push(index);
  }
  return {
    hash: createHash('sha1')
      .update(readFileSync(join(root, file)))
      .digest('hex'),
    ranges,
  };
}

/** The coverage of the programs that a test file started. A program that was killed writes none, or a part of it. */
function* scriptsOf(folder) {
  for (const name of readdirSync(folder)) {
    try {
      yield JSON.parse(readFileSync(join(folder, name), 'utf8')).result;
    } catch {}
  }
}

/**
 * The environment and the transform of `npm run mutate -- --map`. It writes to the folder `EXECUTED` what each test file executes,
 * itself or in programs that it starts.
 */
export default class Recording extends Environment {
  /** Jest's transform: unlike SWC it leaves every character in its place. */
  static process(source) {
    return { code: stripTypeScriptTypes(source) };
  }

  #programs;
  #test;
  #began = Date.now();

  constructor(config, context) {
    const programs = mkdtempSync(join(tmpdir(), 'executed-'));
    process.env.NODE_V8_COVERAGE = programs;
    super(config, context);
    this.#programs = programs;
    this.#test = relative(root, context.testPath);
  }

  async setup() {
    await super.setup();
    session ??= await startCoverage();
    await session.post('Profiler.takePreciseCoverage');
  }

  async teardown() {
    const seconds = (Date.now() - this.#began) / 1000;
    const files = new Executed();
    files.add((await session.post('Profiler.takePreciseCoverage')).result);
    for (const scripts of scriptsOf(this.#programs)) files.add(scripts);
    rmSync(this.#programs, { recursive: true });
    const path = join(process.env.EXECUTED, `${this.#test}.json`);
    mkdirSync(dirname(path), { recursive: true });
    writeFileSync(path, JSON.stringify({ test: this.#test, seconds, files }));
    await super.teardown();
  }
}
