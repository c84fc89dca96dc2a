/** `npm run check:types`: the errors of the compiler, and promises that nobody waits for. One program serves both. */
import { dirname } from 'node:path';
import ts from 'typescript';

const configFile = 'tsconfig.json';

/** The statements of a file whose value is a promise that is not awaited, assigned, caught or marked with `void`. */
export function floatingPromises(file: ts.SourceFile, checker: ts.TypeChecker): ts.ExpressionStatement[] {
  const found: ts.ExpressionStatement[] = [];
  const visit = (node: ts.Node): void => {
    if (ts.isExpressionStatement(node) && isFloating(node.expression, checker) && !isExpectedError(node, file)) {
      found.push(node);
    }
    ts.forEachChild(node, visit);
  };
  visit(file);
  return found;
}

function isFloating(expression: ts.Expression, checker: ts.TypeChecker): boolean {
  if (ts.isAwaitExpression(expression) || ts.isVoidExpression(expression)) return false;
  if (ts.isBinaryExpression(expression) && isAssignment(expression.operatorToken.kind)) return false;
  return isThenable(checker.getTypeAtLocation(expression), checker) && !handlesRejection(expression);
}

/** `=` or `??=`, which keeps the promise. */
function isAssignment(kind: ts.SyntaxKind): boolean {
  return kind >= ts.SyntaxKind.FirstAssignment && kind <= ts.SyntaxKind.LastAssignment;
}

function isThenable(type: ts.Type, checker: ts.TypeChecker): boolean {
  if (type.isUnion()) return type.types.some((part) => isThenable(part, checker));
  if (type.flags & ts.TypeFlags.Any) return false;
  const then = checker.getPropertyOfType(checker.getApparentType(type), 'then');
  return then !== undefined && checker.getTypeOfSymbol(then).getCallSignatures().length > 0;
}

/** `….catch(handler)` or `….then(handler, handler)` */
function handlesRejection(expression: ts.Expression): boolean {
  if (!ts.isCallExpression(expression) || !ts.isPropertyAccessExpression(expression.expression)) return false;
  const { text } = expression.expression.name;
  return (text === 'catch' && expression.arguments.length > 0) || (text === 'then' && expression.arguments.length > 1);
}

/** A line that must not compile does not run. */
function isExpectedError(node: ts.Node, file: ts.SourceFile): boolean {
  return file.text.slice(node.getFullStart(), node.getStart(file)).includes('@ts-expect-error');
}

function positionOf(node: ts.Node, file: ts.SourceFile): string {
  const { line, character } = file.getLineAndCharacterOfPosition(node.getStart(file));
  return `${file.fileName}:${line + 1}:${character + 1}`;
}

function main(): void {
  const { config } = ts.readConfigFile(configFile, ts.sys.readFile);
  const { fileNames, options } = ts.parseJsonConfigFileContent(config, ts.sys, dirname(configFile));
  const program = ts.createProgram(fileNames, { ...options, noEmit: true });
  const checker = program.getTypeChecker();
  const host = { getCanonicalFileName: String, getCurrentDirectory: () => process.cwd(), getNewLine: () => '\n' };

  const errors = ts.getPreEmitDiagnostics(program);
  const floating = program
    .getSourceFiles()
    .filter((file) => !file.isDeclarationFile && !file.fileName.includes('/node_modules/'))
    .flatMap((file) => floatingPromises(file, checker).map((node) => positionOf(node, file)));

  process.stdout.write(ts.formatDiagnosticsWithColorAndContext(errors, host));
  for (const place of floating) process.stdout.write(`${place} - a promise that nobody waits for: add await or void\n`);
  if (errors.length + floating.length > 0) process.exitCode = 1;
}

if (import.meta.main) main();
