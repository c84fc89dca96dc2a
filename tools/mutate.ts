/**
 * Makes random small changes to the code, one at a time, and counts those that a type or a test notices. Each change first
 * meets the checks of `npm run check:types`, then the test files that execute the changed place, the most specific first.
 * A test file counts if it fails twice with the change and passes without it. The checkout must have no uncommitted
 * changes; each change is undone.
 *
 * A program of our own, because StrykerJS brings more than a hundred packages and cannot change the servers that tests
 * start as programs.
 */
import { execFileSync, spawn, spawnSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import { existsSync, globSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import ts from 'typescript';
import { Random } from './torture/workload.ts';
import { floatingPromises } from './types.ts';

const usage = `npm run mutate -- --map [TEST FILES]
npm run mutate -- [options]

  --map           run the tests, or those of the given files and folders, and store what each executes
  --changes N     how many changes (default 100)
  --seed N        which changes (default 1)
  --from N        begin with this one of them (default 1)
  --only FOLDER   change files of this folder only
  --tests N       run at most this many test files for each change (default 60)
  --at-least P    exit with 1 if fewer than P of 100 are noticed
`;

const root = join(import.meta.dirname, '..');
const sources = ['openapi/src', 'sdk/src', 'server/src', 'contracts/conformance', 'contracts/judge'];
/** Generated files, files without behaviour, and the texts of a language. */
const left = /\/(generated|data|demo|languages)\/|\.test\.ts$|\.d\.ts$|\/testing\.ts$/;
/** Stores what each test file executes, in a folder that is not committed. */
const map = join(root, 'node_modules/.cache/executed');

interface Change {
  file: string;
  /** The place that a test must execute to notice the change. */
  at: number;
  start: number;
  end: number;
  text: string;
  what: string;
}

const operators = new Map<ts.SyntaxKind, string>([
  [ts.SyntaxKind.EqualsEqualsEqualsToken, '!=='],
  [ts.SyntaxKind.ExclamationEqualsEqualsToken, '==='],
  [ts.SyntaxKind.LessThanToken, '<='],
  [ts.SyntaxKind.LessThanEqualsToken, '<'],
  [ts.SyntaxKind.GreaterThanToken, '>='],
  [ts.SyntaxKind.GreaterThanEqualsToken, '>'],
  [ts.SyntaxKind.AmpersandAmpersandToken, '||'],
  [ts.SyntaxKind.BarBarToken, '&&'],
  [ts.SyntaxKind.PlusToken, '-'],
  [ts.SyntaxKind.MinusToken, '+'],
  [ts.SyntaxKind.AsteriskToken, '/'],
  [ts.SyntaxKind.SlashToken, '*'],
]);

const guards = new Set([
  ts.SyntaxKind.AmpersandAmpersandToken,
  ts.SyntaxKind.BarBarToken,
  ts.SyntaxKind.QuestionQuestionToken,
]);

/** A text in place of a node, and what that means. */
type Replacement = [node: ts.Node, text: string, what: string];

function ofBinary(node: ts.BinaryExpression): Replacement[] {
  const { operatorToken, left: first } = node;
  const other = operators.get(operatorToken.kind);
  const found: Replacement[] = [];
  if (other !== undefined) found.push([operatorToken, other, `${operatorToken.getText()} is ${other}`]);
  if (guards.has(operatorToken.kind)) found.push([node, first.getText(), 'the second half of a condition is left out']);
  return found;
}

function ofBranch(node: ts.IfStatement | ts.ConditionalExpression): Replacement[] {
  const condition = ts.isIfStatement(node) ? node.expression : node.condition;
  const negated: Replacement = [condition, `!(${condition.getText()})`, 'a condition is negated'];
  const isGuard = ts.isIfStatement(node) && node.elseStatement === undefined;
  return isGuard ? [negated, [node, ';', 'a guard is left out']] : [negated];
}

function replacementsOf(node: ts.Node): Replacement[] {
  if (ts.isBinaryExpression(node)) return ofBinary(node);
  if (ts.isIfStatement(node) || ts.isConditionalExpression(node)) return ofBranch(node);
  if (ts.isNumericLiteral(node)) return [[node, `${Number(node.text) + 1}`, `${node.text} is one more`]];
  if (node.kind === ts.SyntaxKind.TrueKeyword) return [[node, 'false', 'true is false']];
  if (node.kind === ts.SyntaxKind.FalseKeyword) return [[node, 'true', 'false is true']];
  if (ts.isAwaitExpression(node)) return [[node, node.expression.getText(), 'an await is left out']];
  return ts.isExpressionStatement(node) ? [[node, ';', 'a statement is left out']] : [];
}

/** Every change that can be made to a file. */
function changesOf(file: string): Change[] {
  const source = ts.createSourceFile(file, readFileSync(join(root, file), 'utf8'), ts.ScriptTarget.Latest, true);
  const changes: Change[] = [];
  const visit = (node: ts.Node): void => {
    if (ts.isTypeNode(node) || ts.isImportDeclaration(node) || ts.isExportDeclaration(node)) return;
    for (const [part, text, what] of replacementsOf(node)) {
      // The second half of a condition, if it is left out.
      const at = ts.isBinaryExpression(part) ? part.right.getStart() : part.getStart();
      changes.push({ file, at, start: part.getStart(), end: part.end, text, what });
    }
    ts.forEachChild(node, visit);
  };
  visit(source);
  return changes;
}

function git(...given: string[]): string {
  return execFileSync('git', given, { cwd: root, encoding: 'utf8' });
}

/**
 * Finds what `npm run check:types` finds: errors of types in all files, promises that nobody waits for in the changed one.
 * It keeps its program, and checks only what the change affects.
 */
class Compiler {
  readonly #host: ts.CompilerHost;
  readonly #files: string[];
  readonly #options: ts.CompilerOptions;
  #program: ts.SemanticDiagnosticsBuilderProgram | undefined;

  constructor() {
    const { config } = ts.readConfigFile(join(root, 'tsconfig.json'), ts.sys.readFile);
    const parsed = ts.parseJsonConfigFileContent(config, ts.sys, root);
    this.#files = parsed.fileNames;
    this.#options = { ...parsed.options, incremental: true, tsBuildInfoFile: join(root, 'unwritten.tsbuildinfo') };
    this.#host = ts.createIncrementalCompilerHost(this.#options);
  }

  /** @param changed the file to search for promises that nobody waits for. Default: none */
  rejects(changed?: string): boolean {
    this.#program = ts.createSemanticDiagnosticsBuilderProgram(this.#files, this.#options, this.#host, this.#program);
    const errors = [...this.#program.getSyntacticDiagnostics(), ...this.#program.getSemanticDiagnostics()];
    const file = changed === undefined ? undefined : this.#program.getSourceFile(join(root, changed));
    if (errors.length > 0 || file === undefined) return errors.length > 0;
    return floatingPromises(file, this.#program.getProgram().getTypeChecker()).length > 0;
  }
}

const jest = ['--experimental-vm-modules', '--disable-warning=ExperimentalWarning', 'node_modules/jest/bin/jest.js'];

interface Ended {
  output: string;
  isOk: boolean;
  hung: boolean;
}

/** Runs Jest, and ends it with everything that it started when the seconds are over, or when this command ends. */
function runJest(given: readonly string[], seconds: number): Promise<Ended> {
  return new Promise((resolve) => {
    const child = spawn(process.execPath, [...jest, ...given], {
      cwd: root,
      detached: true,
      stdio: ['ignore', 'pipe', 'pipe'],
    });
    let output = '';
    let hung = false;
    for (const stream of [child.stdout, child.stderr]) stream.on('data', (chunk) => (output += chunk));
    const kill = (): void => {
      try {
        if (child.pid !== undefined) process.kill(-child.pid, 'SIGKILL');
      } catch {
        // All of them have ended, and a program of another group holds the output.
        for (const stream of [child.stdout, child.stderr]) stream.destroy();
      }
    };
    const timer = setTimeout(() => {
      hung = true;
      kill();
    }, seconds * 1000);
    process.once('exit', kill);
    child.on('close', (code) => {
      clearTimeout(timer);
      process.off('exit', kill);
      resolve({ output, isOk: code === 0, hung });
    });
  });
}

/** Runs test files, or all, and stores what each executes. */
async function makeMap(files: readonly string[]): Promise<void> {
  const recording = join(root, 'tools/executed.js');
  const { default: config }: { default: { transform: object } } = await import(join(root, 'jest.config.js'));
  const transform = JSON.stringify({ ...config.transform, '\\.ts$': recording });
  for (const event of files.length === 0 ? ['test', 'test:slow'] : ['test']) {
    spawnSync(process.execPath, [...jest, '--testEnvironment', recording, '--transform', transform, ...files], {
      cwd: root,
      env: { ...process.env, EXECUTED: map, npm_lifecycle_event: event },
      stdio: 'inherit',
    });
  }
}

/** What a test file executes. */
interface Executed {
  test: string;
  /** How long it took. */
  seconds: number;
  /** The executed ranges of each source file (start, end, start, end, …), and the hash of the file then. */
  files: Record<string, { hash: string; ranges: number[] }>;
}

const size = (ranges: readonly number[]): number =>
  ranges.reduce((sum, place, index) => sum + (index % 2 ? place : -place), 0);

/** The test files that execute a changed place. */
class Tests {
  readonly #all: (Executed & { size: number })[];

  constructor() {
    const read = (file: string): Executed => JSON.parse(readFileSync(join(map, file), 'utf8'));
    const all = globSync('**/*.json', { cwd: map })
      .map(read)
      .filter(({ test }) => existsSync(join(root, test)));
    this.#all = all.map((each) => ({
      ...each,
      size: Object.values(each.files).reduce((sum, { ranges }) => sum + size(ranges), 0),
    }));
  }

  get isEmpty(): boolean {
    return this.#all.length === 0;
  }

  /** Those that execute little else, and are quick, come first. */
  of({ file, at }: Change): Executed[] {
    const hash = createHash('sha1')
      .update(readFileSync(join(root, file)))
      .digest('hex');
    const found = this.#all.flatMap((each) => {
      const part = each.files[file];
      // After an edit of the file the places are not known.
      const executes = part?.hash !== hash || part.ranges.filter((place) => place <= at).length % 2 === 1;
      if (!part || !executes) return [];
      return [{ ...each, rank: size(part.ranges) / each.size / Math.sqrt(each.seconds) }];
    });
    return found.sort((one, other) => other.rank - one.rank);
  }
}

/** @returns those that fail, or all of them if the run does not end in time */
async function failing(tests: readonly Executed[]): Promise<readonly Executed[]> {
  const seconds = 60 + 5 * tests.reduce((sum, each) => sum + each.seconds, 0);
  const { output, isOk, hung } = await runJest(['--bail', '--silent', ...tests.map(({ test }) => test)], seconds);
  const failed = new Set(Array.from(output.matchAll(/^FAIL (\S+)/gm), ([, test = '']) => test));
  if (isOk) return [];
  // The end of a run has checks of its own.
  return hung || failed.size === 0 ? tests : tests.filter(({ test }) => failed.has(test));
}

/** Whether these test files fail again with the change, and pass without it. */
async function confirms(tests: readonly Executed[], edit: Edit): Promise<boolean> {
  if ((await failing(tests)).length === 0) return false;
  edit.undo();
  const without = await failing(tests);
  edit.make();
  return without.length === 0;
}

interface Result {
  isNoticed: boolean;
  /** What noticed the change, or what did not. */
  by: string;
}

async function resultOf(edit: Edit, compiler: Compiler, tests: readonly Executed[]): Promise<Result> {
  if (compiler.rejects(edit.file)) return { isNoticed: true, by: 'types' };
  let rest = tests;
  for (let count = 3; rest.length > 0; count *= 2) {
    let batch = rest.slice(0, count);
    rest = rest.slice(count);
    for (;;) {
      const failed = await failing(batch);
      if (failed.length === 0) break;
      if (await confirms(failed, edit)) return { isNoticed: true, by: failed.map(({ test }) => test).join(', ') };
      // They failed by chance, and ended the run.
      batch = batch.filter((each) => !failed.includes(each));
      if (batch.length === 0) break;
    }
  }
  return { isNoticed: false, by: tests.length === 0 ? 'no test executes it' : `${tests.length} test files` };
}

const { values: options, positionals } = parseArgs({
  allowPositionals: true,
  options: {
    map: { type: 'boolean', default: false },
    changes: { type: 'string', default: '100' },
    seed: { type: 'string', default: '1' },
    from: { type: 'string', default: '1' },
    only: { type: 'string', default: '' },
    tests: { type: 'string', default: '60' },
    'at-least': { type: 'string', default: '0' },
    help: { type: 'boolean', default: false },
  },
});

/** The changes of the seed. */
function choose(): { chosen: Change[]; of: number } {
  const files = git('ls-files', '-z', ...sources.map((folder) => `${folder}/**.ts`)).split('\0');
  const wanted = files.filter((file) => file.startsWith(options.only) && file !== '' && !left.test(file));
  const all = wanted.flatMap(changesOf);
  const of = all.length;
  const random = new Random(Number(options.seed));
  const count = Math.min(Number(options.changes), of);
  const chosen = Array.from({ length: count }, () => all.splice(random.below(all.length), 1)).flat();
  return { chosen, of };
}

/** A change of a file, which can be undone. */
class Edit {
  readonly #path: string;
  readonly #before: string;
  readonly #change: Change;

  constructor(change: Change) {
    this.#change = change;
    this.#path = join(root, change.file);
    this.#before = readFileSync(this.#path, 'utf8');
  }

  make(): void {
    const { start, end, text } = this.#change;
    writeFileSync(this.#path, this.#before.slice(0, start) + text + this.#before.slice(end));
  }

  undo(): void {
    writeFileSync(this.#path, this.#before);
  }

  get file(): string {
    return this.#change.file;
  }

  get description(): string {
    const { file, start, end, what } = this.#change;
    const [code] = this.#before.slice(start, end).split('\n');
    return `${file}:${this.#before.slice(0, start).split('\n').length} ${what}: ${code}`;
  }
}

/** Makes one change, and undoes it, also when the command is ended. */
async function attempt(change: Change, compiler: Compiler, tests: Tests): Promise<Result & { text: string }> {
  const wanted = tests.of(change).slice(0, Number(options.tests));
  const edit = new Edit(change);
  const end = (): void => {
    edit.undo();
    process.exit(130);
  };
  process.once('SIGINT', end).once('SIGTERM', end);
  edit.make();
  try {
    return { ...(await resultOf(edit, compiler, wanted)), text: edit.description };
  } finally {
    edit.undo();
    process.off('SIGINT', end).off('SIGTERM', end);
  }
}

function refuse(reason: string): void {
  process.stderr.write(`${reason}\n`);
  process.exitCode = 2;
}

async function main(): Promise<void> {
  const isChanged = git('status', '--porcelain', '--untracked-files=no') !== '';
  if (isChanged) return refuse('Commit or stash your changes first: this command edits files.');
  const tests = new Tests();
  if (tests.isEmpty) return refuse('Run `npm run mutate -- --map` first: it stores what each test file executes.');
  const compiler = new Compiler();
  if (compiler.rejects()) throw new Error('The checkout does not compile. Run `npm run check:types`.');
  const { chosen, of } = choose();
  process.stdout.write(`${chosen.length} of ${of} changes, seed ${options.seed}\n`);
  const survivors: string[] = [];
  const first = Number(options.from) - 1;
  for (const [index, change] of [...chosen.entries()].slice(first)) {
    const { isNoticed, by, text } = await attempt(change, compiler, tests);
    if (!isNoticed) survivors.push(text);
    process.stdout.write(`${index + 1}/${chosen.length} ${isNoticed ? 'noticed' : 'NOT NOTICED'} by ${by}  ${text}\n`);
  }
  const tried = chosen.length - first;
  process.stdout.write(`\n${tried - survivors.length} of ${tried} changes noticed\n${survivors.join('\n')}\n`);
  if (100 * (tried - survivors.length) < Number(options['at-least']) * tried) process.exitCode = 1;
}

if (options.help) process.stdout.write(usage);
else if (options.map) await makeMap(positionals);
else await main();
