/**
 * Makes random small changes to the code, one at a time, and counts those that a type or a test notices. Each change first
 * meets the compiler, then the nearest of the quick tests that load the file and of the slow ones, then more of both.
 * A test file counts if it fails twice. The checkout must have no uncommitted changes; each change is undone.
 *
 * A program of our own, because StrykerJS brings more than a hundred packages and cannot change the servers that tests start as
 * programs.
 */
import { execFileSync, spawn } from 'node:child_process';
import { readFileSync, writeFileSync } from 'node:fs';
import { basename, join, relative } from 'node:path';
import { parseArgs } from 'node:util';
import ts from 'typescript';
import { Random } from './torture/random.ts';

const usage = `npm run mutate -- [options]

  --changes N     how many changes (default 100)
  --seed N        which changes (default 1)
  --from N        begin with this one of them (default 1)
  --only FOLDER   change files of this folder only
  --at-least P    exit with 1 if fewer than P of 100 are noticed
`;

const root = join(import.meta.dirname, '..');
const sources = ['openapi/src', 'sdk/src', 'server/src', 'contracts/conformance', 'contracts/judge'];
/** Generated files, files without behaviour, and the texts of a language. */
const left = /\/(generated|data|demo|languages)\/|\.test\.ts$|\.d\.ts$|\/testing\.ts$/;
/** Seconds for one run of Jest. A change that makes a test wait for ever is noticed, too. */
const limit = 900;

interface Change {
  file: string;
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
      changes.push({ file, start: part.getStart(), end: part.end, text, what });
    }
    ts.forEachChild(node, visit);
  };
  visit(source);
  return changes;
}

function git(...given: string[]): string {
  return execFileSync('git', given, { cwd: root, encoding: 'utf8' });
}

/** The files that the compiler rejects. It keeps what it knows, and looks only at what a change can affect. */
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

  rejects(): boolean {
    this.#program = ts.createSemanticDiagnosticsBuilderProgram(this.#files, this.#options, this.#host, this.#program);
    return this.#program.getSyntacticDiagnostics().length + this.#program.getSemanticDiagnostics().length > 0;
  }
}

interface Run {
  /** Test files. */
  failed: string[];
  /** Why the run has no result. */
  broken?: string;
}

const jest = ['--experimental-vm-modules', '--disable-warning=ExperimentalWarning', 'node_modules/jest/bin/jest.js'];

interface Ended {
  output: string;
  isOk: boolean;
  hung: boolean;
}

/** Runs Jest, and ends it with everything that it started when the time is over. */
function runJest(given: readonly string[], event = 'test'): Promise<Ended> {
  return new Promise((resolve) => {
    const child = spawn(process.execPath, [...jest, ...given], {
      cwd: root,
      detached: true,
      env: { ...process.env, npm_lifecycle_event: event },
      stdio: ['ignore', 'pipe', 'pipe'],
    });
    let output = '';
    let hung = false;
    for (const stream of [child.stdout, child.stderr]) stream.on('data', (chunk) => (output += chunk));
    const timer = setTimeout(() => {
      hung = true;
      if (child.pid !== undefined) process.kill(-child.pid, 'SIGKILL');
    }, limit * 1000);
    child.on('close', (code) => {
      clearTimeout(timer);
      resolve({ output, isOk: code === 0, hung });
    });
  });
}

async function run(files: readonly string[]): Promise<Run> {
  if (files.length === 0) return { failed: [] };
  // After the first failure Jest ends at once, also without the result that `--json` prints.
  const { output, isOk, hung } = await runJest(['--bail', '--silent', ...files]);
  if (hung) return { failed: [], broken: 'a test that does not end' };
  const failed = [...new Set(Array.from(output.matchAll(/^FAIL (\S+)/gm), ([, file = '']) => file))];
  // The end of a run has checks of its own.
  return isOk || failed.length > 0 ? { failed } : { failed, broken: 'the end of the run' };
}

/** What tests call a file: its name, and what it exports. */
function namesIn(file: string): RegExp {
  const text = readFileSync(join(root, file), 'utf8');
  const exported = Array.from(
    text.matchAll(/^export (?:async )?(?:function\*?|class|const) (\w+)/gm),
    ([, name]) => name,
  );
  return new RegExp(`\\b(${[basename(file, '.ts'), ...exported].join('|')})\\b`, 'g');
}

/** Test files that may notice a change of a file, the nearest first: those that name it, then those whose path is like its path. */
async function testsOf(file: string, event: 'test' | 'test:slow'): Promise<string[]> {
  // A slow test may start a program that loads the file, which Jest does not see.
  const wanted = event === 'test' ? ['--findRelatedTests', `./${file}`] : [];
  const { output } = await runJest(['--listTests', ...wanted], event);
  const files = output.split('\n').filter((line) => line.endsWith('.test.ts'));
  const names = namesIn(file);
  const own = file.replace(/\.ts$/, '').split(/\W+/);
  const closeness = (test: string): number => {
    const words = new Set(test.split(/\W+/));
    const path = own.reduce((sum, word, index) => sum + (words.has(word) || words.has(`${word}s`) ? index + 1 : 0), 0);
    const named = new Set(readFileSync(join(root, test), 'utf8').match(names)).size;
    return path + 3 * named;
  };
  const near = files.map((each) => relative(root, each)).map((test) => [test, closeness(test)] as const);
  return near.sort(([, one], [, other]) => other - one).map(([test]) => test);
}

/** @returns what noticed the change, or `undefined` */
async function noticedBy(change: Change, compiler: Compiler): Promise<string | undefined> {
  if (compiler.rejects()) return 'types';
  const quick = await testsOf(change.file, 'test');
  const slow = await testsOf(change.file, 'test:slow');
  const batches = [quick.slice(0, 8), slow.slice(0, 4), quick.slice(8, 32), slow.slice(4, 12)];
  for (const batch of batches) {
    const first = await run(batch);
    const again = first.broken === undefined ? await run(first.failed) : await run(batch);
    const by = again.broken ?? again.failed[0];
    if (by !== undefined) return by;
  }
  return undefined;
}

const { values: options } = parseArgs({
  options: {
    changes: { type: 'string', default: '100' },
    seed: { type: 'string', default: '1' },
    from: { type: 'string', default: '1' },
    only: { type: 'string', default: '' },
    'at-least': { type: 'string', default: '0' },
    help: { type: 'boolean', default: false },
  },
});

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

/** Makes one change, and undoes it, also when the command is ended. */
async function attempt(change: Change, compiler: Compiler): Promise<{ by: string | undefined; text: string }> {
  const path = join(root, change.file);
  const before = readFileSync(path, 'utf8');
  const undo = (): void => writeFileSync(path, before);
  const end = (): void => {
    undo();
    process.exit(130);
  };
  process.once('SIGINT', end).once('SIGTERM', end);
  writeFileSync(path, before.slice(0, change.start) + change.text + before.slice(change.end));
  const line = before.slice(0, change.start).split('\n').length;
  const [code] = before.slice(change.start, change.end).split('\n');
  const text = `${change.file}:${line} ${change.what}: ${code}`;
  try {
    return { by: await noticedBy(change, compiler), text };
  } finally {
    undo();
    process.off('SIGINT', end).off('SIGTERM', end);
  }
}

async function main(): Promise<void> {
  if (git('status', '--porcelain', '--untracked-files=no') !== '') {
    process.stderr.write('Commit or stash your changes first: this command edits files.\n');
    process.exitCode = 2;
    return;
  }
  const compiler = new Compiler();
  if (compiler.rejects()) throw new Error('The checkout does not compile. Run `npm run check:types`.');
  const { chosen, of } = choose();
  process.stdout.write(`${chosen.length} of ${of} changes, seed ${options.seed}\n`);
  const survivors: string[] = [];
  const first = Number(options.from) - 1;
  for (const [index, change] of [...chosen.entries()].slice(first)) {
    const { by, text } = await attempt(change, compiler);
    if (by === undefined) survivors.push(text);
    const result = by === undefined ? 'NOT NOTICED' : `noticed by ${by}`;
    process.stdout.write(`${index + 1}/${chosen.length} ${result}  ${text}\n`);
  }
  const tried = chosen.length - first;
  process.stdout.write(`\n${tried - survivors.length} of ${tried} changes noticed\n${survivors.join('\n')}\n`);
  if (100 * (tried - survivors.length) < Number(options['at-least']) * tried) process.exitCode = 1;
}

if (options.help) process.stdout.write(usage);
else await main();
