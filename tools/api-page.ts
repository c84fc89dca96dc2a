/** Writes the page of the SDK's exports, with one line for each, from their types and docstrings. */
import { fileURLToPath } from 'node:url';
import ts from 'typescript';
import { manifestOf } from './packages.ts';

const format =
  ts.TypeFormatFlags.NoTruncation |
  ts.TypeFormatFlags.UseSingleQuotesForStringLiteralType |
  ts.TypeFormatFlags.UseAliasDefinedOutsideCurrentScope;

const byName = (one: ts.Symbol, other: ts.Symbol) => (one.name < other.name ? -1 : 1);
const isClass = ({ flags }: ts.Symbol) => Boolean(flags & ts.SymbolFlags.Class);
const isType = ({ flags }: ts.Symbol) => Boolean(flags & (ts.SymbolFlags.Interface | ts.SymbolFlags.TypeAlias));
/** A brand, whose symbol the package does not export. */
const isHidden = ({ name }: ts.Symbol) => name.startsWith('__');
/** An object type without a name: the group of methods that `Client.products` is. */
const isGroup = ({ aliasSymbol, symbol }: ts.Type) =>
  !aliasSymbol && Boolean(symbol?.flags & ts.SymbolFlags.TypeLiteral);

/** The name with its type parameters: `ApiError<Name>` for `class ApiError<Name extends Operation = Operation>`. */
function generic({ name, declarations }: ts.Symbol): string {
  const of =
    declarations?.flatMap((declared) =>
      ts.getEffectiveTypeParameterDeclarations(declared as ts.DeclarationWithTypeParameters),
    ) ?? [];
  return of.length > 0 ? `${name}<${of.map((parameter) => parameter.name.text).join(', ')}>` : name;
}

/** The heritage clause of an interface, as in ` extends Promise<Value>`. */
function parents({ declarations }: ts.Symbol): string {
  const clauses = declarations?.flatMap((declared) =>
    ts.isInterfaceDeclaration(declared) ? (declared.heritageClauses ?? []) : [],
  );
  return clauses?.map((clause) => ` ${clause.getText().replaceAll(/\s+/g, ' ')}`).join('') ?? '';
}

/** One line for every function, constant, method, error and type of each entry. */
export async function apiPage(sdk: URL): Promise<string> {
  const manifest = manifestOf('sdk');
  const entries = Object.entries(manifest.exports ?? {}).filter(([, source]) => source.endsWith('.ts'));
  const fileOf = (source: string) => fileURLToPath(new URL(source, sdk));
  const config = ts.readConfigFile(fileURLToPath(new URL('../tsconfig.json', sdk)), ts.sys.readFile);
  const { options } = ts.parseJsonConfigFileContent(config.config, ts.sys, fileURLToPath(new URL('..', sdk)));
  const program = ts.createProgram(
    entries.map(([, source]) => fileOf(source)),
    options,
  );
  const checker = program.getTypeChecker();

  /** The first sentence of a docstring, on one line. */
  const summary = (symbol: ts.Symbol): string => {
    const text = ts.displayPartsToString(symbol.getDocumentationComment(checker)).replaceAll(/\s+/g, ' ').trim();
    const [sentence = ''] = /^.*?\.(?= [A-Z`-]|$)/.exec(text) ?? [text];
    return sentence === '' ? '' : `: ${sentence}`;
  };
  // Destructured options are still one argument.
  const line = (code: string, symbol: ts.Symbol, remark = '') =>
    `- \`${code.replaceAll(/\{ [\w, .]+ \}: /g, 'options: ')}\`${remark}${summary(symbol)}`;
  const signatures = (symbol: ts.Symbol) => checker.getTypeOfSymbol(symbol).getCallSignatures();
  const called = (name: string, symbol: ts.Symbol, at: ts.Node) =>
    signatures(symbol).map((one) => line(name + checker.signatureToString(one, at, format), symbol));
  const isGuard = (symbol: ts.Symbol) => signatures(symbol).some((one) => checker.getTypePredicateOfSignature(one));

  /** A property with its type as written in the source, as in `phase: Phase`. */
  const property = (name: string, symbol: ts.Symbol): string => {
    const declared = symbol.valueDeclaration;
    const type = declared && (ts.isPropertySignature(declared) || ts.isPropertyDeclaration(declared)) && declared.type;
    const text = type ? type.getText() : checker.typeToString(checker.getTypeOfSymbol(symbol), undefined, format);
    return `${name}${symbol.flags & ts.SymbolFlags.Optional ? '?' : ''}: ${text}`;
  };

  /** Whether the type or one of its groups has a method. */
  const hasMethods = (type: ts.Type): boolean =>
    type.getProperties().some((member) => {
      const inner = checker.getTypeOfSymbol(member);
      return inner.getCallSignatures().length > 0 || (isGroup(inner) && hasMethods(inner));
    });

  /** The type's own methods and properties, with those of its groups: `Client.products.get`. */
  const members = (declared: ts.Node | undefined, type: ts.Type, path: string, at: ts.Node): string[] =>
    type.getProperties().flatMap((member) => {
      const isOwn = ts.findAncestor(member.declarations?.[0], (node) => node === declared);
      if (!isOwn || isHidden(member)) return [];
      const name = `${path}.${member.name}`;
      if (member.flags & ts.SymbolFlags.Method) return called(name, member, at);
      const inner = checker.getTypeOfSymbol(member);
      return isGroup(inner) ? members(declared, inner, name, at) : [line(property(name, member), member)];
    });

  /** The types that functions return, and that their methods return: clients, lists and replies. */
  const returned = (symbol: ts.Symbol, all = new Set<ts.Symbol>()): Set<ts.Symbol> => {
    const type = checker.getTypeOfSymbol(symbol);
    if (isGroup(type)) for (const member of type.getProperties()) returned(member, all);
    for (const signature of type.getCallSignatures()) {
      const given = signature.getReturnType();
      const named = given.aliasSymbol ?? given.symbol;
      if (!named || all.has(named)) continue;
      all.add(named);
      for (const member of given.getProperties()) returned(member, all);
    }
    return all;
  };

  /** A class with its fields, as in `ConflictError { code: 'slug_taken'; product: Product }`, without the known fields. */
  const shape = (symbol: ts.Symbol, known: readonly string[]): string => {
    const file = symbol.declarations?.[0]?.getSourceFile();
    const fields = checker
      .getDeclaredTypeOfSymbol(symbol)
      .getProperties()
      .filter((field) => field.valueDeclaration?.getSourceFile() === file && !isHidden(field));
    const isCall = fields.some(({ name }) => known.includes(name));
    const own = fields.filter(({ name }) => name !== 'name' && !known.includes(name));
    const list = own.map((field) => property(field.name, field)).join('; ');
    return `${generic(symbol)}${isCall ? ' extends Call<Name>' : ''} { ${list} }`;
  };

  /** For error handling: the guards, the common fields of a call's errors, and the fields that each error adds. */
  const errors = (exported: readonly ts.Symbol[], at: ts.Node, values: object): string[] => {
    const call = exported.find(({ name }) => name === 'Call');
    const known = call ? checker.getDeclaredTypeOfSymbol(call).getProperties() : [];
    const names = known.map(({ name }) => name);
    return [
      ...exported.filter(isGuard).flatMap((symbol) => called(symbol.name, symbol, at)),
      ...(call ? [line(shape(call, []), call)] : []),
      ...exported
        .filter(isClass)
        .map((symbol) => line(shape(symbol, names), symbol, symbol.name in values ? '' : ' (type only)')),
    ];
  };

  const section = (entry: string, source: string, values: object): string => {
    const at = program.getSourceFile(fileOf(source));
    const module = at && checker.getSymbolAtLocation(at);
    if (!module) throw new Error(`${source} exports nothing.`);
    const exported = checker
      .getExportsOfModule(module)
      .sort(byName)
      .map((symbol) => (symbol.flags & ts.SymbolFlags.Alias ? checker.getAliasedSymbol(symbol) : symbol));
    const types = exported.filter(isType);
    const constants = exported.filter((one) => one.flags & ts.SymbolFlags.Variable && signatures(one).length === 0);
    const given = new Set([
      ...exported.flatMap((symbol) => [...returned(symbol)]),
      ...constants.map((symbol) => checker.getTypeOfSymbol(symbol).symbol),
    ]);
    const used = types.filter((symbol) => given.has(symbol) && hasMethods(checker.getDeclaredTypeOfSymbol(symbol)));
    const lists = {
      Functions: exported.filter((symbol) => !isGuard(symbol)).flatMap((symbol) => called(symbol.name, symbol, at)),
      Constants: constants.map((symbol) => line(property(symbol.name, symbol), symbol)),
      'Methods and properties': used.flatMap((symbol) =>
        members(symbol.declarations?.[0], checker.getDeclaredTypeOfSymbol(symbol), symbol.name, at),
      ),
      Errors: errors(exported, at, values),
      Types: types.map((symbol) => line(generic(symbol) + (used.includes(symbol) ? parents(symbol) : ''), symbol)),
    };
    const parts = Object.entries(lists).filter(([, lines]) => lines.length > 0);
    const heading = `## \`${manifest.name}${entry.slice(1)}\``;
    return [heading, ...parts.flatMap(([title, lines]) => [`### ${title}`, lines.join('\n')])].join('\n\n');
  };
  const sections = entries.map(async ([entry, source]) => section(entry, source, await import(fileOf(source))));
  return `<!-- Generated from the SDK's types by \`npm run generate\`. Do not edit. -->\n\n# API\n\n${(await Promise.all(sections)).join('\n\n')}\n`;
}
