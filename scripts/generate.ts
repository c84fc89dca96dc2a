/**
 * Writes the TypeScript types that follow from openapi.yaml. `--check` writes nothing and fails when a committed
 * file is stale.
 *
 * There are two readings of the contract. A reader (the SDK) keeps values it does not know where
 * `x-extensible-enum` lists the known ones; a writer (the server) may send only those.
 */
import { readFile, writeFile } from 'node:fs/promises';
import openapiTS, { astToString } from 'openapi-typescript';
import ts from 'typescript';

const contract = new URL('../openapi.yaml', import.meta.url);
const outputs = [
  { file: new URL('../sdk/src/generated/openapi.ts', import.meta.url), open: true },
  { file: new URL('../server/src/contract/generated/openapi.ts', import.meta.url), open: false },
];
const banner = '// Generated from openapi.yaml by `npm run generate`. Do not edit.\n\n';

/** `'a' | 'b'`, and for a reader `| (string & {})`, which any string fits while editors still offer the known ones. */
function extensibleEnum(known: string[], open: boolean): ts.TypeNode {
  const members: ts.TypeNode[] = known.map((value) =>
    ts.factory.createLiteralTypeNode(ts.factory.createStringLiteral(value)),
  );
  if (open) {
    const string = ts.factory.createKeywordTypeNode(ts.SyntaxKind.StringKeyword);
    const anything = ts.factory.createTypeLiteralNode([]);
    members.push(ts.factory.createParenthesizedType(ts.factory.createIntersectionTypeNode([string, anything])));
  }
  return ts.factory.createUnionTypeNode(members);
}

async function generate(open: boolean): Promise<string> {
  const nodes = await openapiTS(contract, {
    defaultNonNullable: false,
    transform(schema) {
      const known: unknown = Reflect.get(schema, 'x-extensible-enum');
      return Array.isArray(known) ? extensibleEnum(known.map(String), open) : undefined;
    },
  });
  return banner + astToString(nodes);
}

const check = process.argv.includes('--check');
let stale = 0;
for (const { file, open } of outputs) {
  const text = await generate(open);
  const name = file.pathname.split('/').slice(-4).join('/');
  if (!check) {
    await writeFile(file, text);
    process.stdout.write(`wrote ${name}\n`);
  } else if ((await readFile(file, 'utf8').catch(() => '')) !== text) {
    process.stderr.write(`${name} is stale: run \`npm run generate\` and commit the result.\n`);
    stale += 1;
  }
}
if (stale > 0) process.exitCode = 1;
else if (check) process.stdout.write('generated files are fresh\n');
