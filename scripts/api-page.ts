/** The page of everything that the SDK's entries export, a line each, read from its types and their docstrings. */
import { readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import ts from 'typescript';

const format =
  ts.TypeFormatFlags.NoTruncation |
  ts.TypeFormatFlags.UseSingleQuotesForStringLiteralType |
  ts.TypeFormatFlags.UseAliasDefinedOutsideCurrentScope;

const byName = (one: ts.Symbol, other: ts.Symbol) => (one.name < other.name ? -1 : 1);

/** One line for every function, method, class and type of each entry. */
export function apiPage(sdk: URL): string {
  const manifest: { name: string; exports: Record<string, string> } = JSON.parse(
    readFileSync(new URL('package.json', sdk), 'utf8'),
  );
  const entries = Object.entries(manifest.exports).filter(([, source]) => source.endsWith('.ts'));
  const files = entries.map(([, source]) => fileURLToPath(new URL(source, sdk)));
  const config = ts.readConfigFile(fileURLToPath(new URL('../tsconfig.json', sdk)), ts.sys.readFile);
  const { options } = ts.parseJsonConfigFileContent(config.config, ts.sys, fileURLToPath(new URL('..', sdk)));
  const program = ts.createProgram(files, options);
  const checker = program.getTypeChecker();

  /** The first sentence of a docstring, on one line. */
  const told = (symbol: ts.Symbol): string => {
    const text = ts.displayPartsToString(symbol.getDocumentationComment(checker)).replaceAll(/\s+/g, ' ').trim();
    const [sentence = ''] = /^.*?\.(?= [A-Z`-]|$)/.exec(text) ?? [text];
    return sentence === '' ? '' : `: ${sentence}`;
  };
  // Options that are taken apart at once are one argument all the same.
  const line = (code: string, symbol: ts.Symbol) =>
    `- \`${code.replaceAll(/\{ [\w, .]+ \}: /g, 'options: ')}\`${told(symbol)}`;
  const signatures = (symbol: ts.Symbol, at: ts.Node) =>
    checker.getTypeOfSymbolAtLocation(symbol, at).getCallSignatures();

  /** The methods of an interface, those of its groups too: `Client.products.get`. */
  const methods = (type: ts.Type, name: string, at: ts.Node): string[] =>
    type.getProperties().flatMap((property) => {
      const path = `${name}.${property.name}`;
      const found = signatures(property, at);
      if (found.length > 0) {
        return found.map((one) => line(path + checker.signatureToString(one, at, format), property));
      }
      const inner = checker.getTypeOfSymbolAtLocation(property, at);
      return inner.symbol?.flags & ts.SymbolFlags.TypeLiteral ? methods(inner, path, at) : [];
    });

  const section = ([entry]: [string, string], file: string): string => {
    const source = program.getSourceFile(file);
    const module = source && checker.getSymbolAtLocation(source);
    if (!source || !module) throw new Error(`${file} exports nothing.`);
    const called: string[] = [];
    const named: string[] = [];
    for (const exported of checker.getExportsOfModule(module).sort(byName)) {
      const symbol = exported.flags & ts.SymbolFlags.Alias ? checker.getAliasedSymbol(exported) : exported;
      for (const one of signatures(symbol, source)) {
        called.push(line(exported.name + checker.signatureToString(one, source, format), symbol));
      }
      if (symbol.flags & (ts.SymbolFlags.Class | ts.SymbolFlags.Interface | ts.SymbolFlags.TypeAlias)) {
        named.push(line(exported.name, symbol));
        const isClient = /Client$/.test(exported.name) && symbol.flags & ts.SymbolFlags.Interface;
        if (isClient) called.push(...methods(checker.getDeclaredTypeOfSymbol(symbol), exported.name, source));
      }
    }
    const heading = `## \`${manifest.name}${entry.slice(1)}\``;
    return [heading, '### Functions and methods', called.join('\n'), '### Types', named.join('\n')].join('\n\n');
  };
  const sections = entries.map((entry, index) => section(entry, files[index] ?? ''));
  return `<!-- Generated from the SDK's types by \`npm run generate\`. Do not edit. -->\n\n# API\n\n${sections.join('\n\n')}\n`;
}
