/** What an editor shows of a field: its description from the contract. */
import { fileURLToPath } from 'node:url';
import { expect, test } from '@jest/globals';
import ts from 'typescript';

const root = fileURLToPath(new URL('../../', import.meta.url));

/** Every field of the contract's types that the SDK exports, those of nested objects too, and its docstring. */
function fieldsOfContract(): Map<string, string> {
  const file = `${root}sdk/src/contract.ts`;
  const read = ts.readConfigFile(`${root}tsconfig.json`, ts.sys.readFile);
  const { options } = ts.parseJsonConfigFileContent(read.config, ts.sys, root);
  const program = ts.createProgram([file], options);
  const checker = program.getTypeChecker();
  const source = program.getSourceFile(file);
  const module = source && checker.getSymbolAtLocation(source);
  if (!module) throw new Error(`${file} exports nothing.`);

  /** The text of the docstring, or of its `@description`, which the generated types have and editors show as well. */
  const textOf = (field: ts.Symbol): string => {
    const described = field.getJsDocTags(checker).find(({ name }) => name === 'description');
    return ts.displayPartsToString([...field.getDocumentationComment(checker), ...(described?.text ?? [])]);
  };

  const fields = new Map<string, string>();
  const walk = (type: ts.Type, name: string): void => {
    if (type.isUnionOrIntersection()) for (const part of type.types) walk(part, name);
    if (checker.isArrayType(type))
      for (const item of checker.getTypeArguments(type as ts.TypeReference)) walk(item, name);
    if (!(type.flags & ts.TypeFlags.Object) || checker.isArrayType(type) || checker.isTupleType(type)) return;
    for (const field of type.getProperties()) {
      const place = `${name}.${field.name}`;
      fields.set(place, textOf(field));
      walk(checker.getTypeOfSymbol(field), place);
    }
  };
  for (const exported of checker.getExportsOfModule(module))
    walk(checker.getDeclaredTypeOfSymbol(exported), exported.name);
  return fields;
}

test('every field of the exported types has a docstring', () => {
  const fields = fieldsOfContract();
  expect(fields.size).toBeGreaterThan(74);
  expect([...fields].filter(([, text]) => text.trim() === '').map(([place]) => place)).toEqual([]);
  expect(fields.get('ProductListItem.id')).toBe('Opaque identifier.');
  expect(fields.get('CreateProduct.model')).toBe('Model or variant. At most 500 characters.');
  expect(fields.get('ProductQuery.limit')).toBe(
    'The maximum number of products on a page. 1 to 200, default 50; the service moves other numbers to the nearest bound.',
  );
});
