/** The facts of the SDK's exports that programs rely on. */
import ts from 'typescript';

/**
 * What programs rely on, as facts, so that one set of rules compares the contract and the exports of the SDK:
 * by `DIRECTION OWNER KEYWORD`, as in `request createProduct body.name maxLength`. Every owner has the keyword `exists`.
 * A request is what programs send or pass in; a response is what they receive.
 */
export type Facts = Readonly<Record<string, unknown>>;

type Members = ts.InterfaceDeclaration | ts.ClassDeclaration | ts.TypeLiteralNode;
type Member = ts.ClassElement | ts.TypeElement;

/** These follow from the contract, which has facts of its own, and from the templates. */
const generated = /\/generated\/[^/]+$/;

const printer = ts.createPrinter({ removeComments: true });
const textOf = (node: ts.Node) =>
  printer.printNode(ts.EmitHint.Unspecified, node, node.getSourceFile()).replaceAll(/\s+/g, ' ');
const isPrivate = (node: Member) =>
  (node.name && ts.isPrivateIdentifier(node.name)) ||
  (ts.canHaveModifiers(node) && node.modifiers?.some(({ kind }) => kind === ts.SyntaxKind.PrivateKeyword));
const nameOf = ({ name, kind }: Member) => (name ? textOf(name) : ts.SyntaxKind[kind]);
const hasMembers = (node: ts.Node): node is Members =>
  ts.isInterfaceDeclaration(node) || ts.isClassDeclaration(node) || ts.isTypeLiteralNode(node);
const isValue = (node: ts.TypeNode) => ts.isLiteralTypeNode(node) && node.literal.kind !== ts.SyntaxKind.NullKeyword;
const isType = (node: ts.Node) => ts.isTypeNode(node) && !ts.isParenthesizedTypeNode(node);

/** @param entries the source of each entry, by the entry's name */
export function exportFacts(entries: Readonly<Record<string, string>>, options: ts.CompilerOptions): Facts {
  const program = ts.createProgram(Object.values(entries), options);
  const checker = program.getTypeChecker();
  const facts: Record<string, unknown> = {};
  const described = new Set<string>();

  const isOwn = (file: ts.SourceFile) => !file.isDeclarationFile && !generated.test(file.fileName);
  const actual = (symbol: ts.Symbol) =>
    symbol.flags & ts.SymbolFlags.Alias ? checker.getAliasedSymbol(symbol) : symbol;
  /** Overloads, and names that two files declare, get a mark each. */
  const unused = (at: string): string => (`${at} exists` in facts ? unused(`${at}'`) : at);

  function describeSymbol(symbol: ts.Symbol, direction: string): void {
    if (symbol.flags & ts.SymbolFlags.TypeParameter) return;
    for (const node of symbol.declarations ?? []) {
      const place = `${direction} ${node.getSourceFile().fileName} ${node.pos}`;
      if (!isOwn(node.getSourceFile()) || described.has(place)) continue;
      described.add(place);
      describe(node, unused(`${direction} ${symbol.name}`));
    }
  }

  /** Describes the types that a node names. */
  function describeNamed(node: ts.Node, at: string): void {
    const name = ts.isTypeReferenceNode(node)
      ? node.typeName
      : ts.isExpressionWithTypeArguments(node) && node.expression;
    const symbol = name && checker.getSymbolAtLocation(name);
    if (symbol) describeSymbol(actual(symbol), at.split(' ', 1)[0] ?? '');
    ts.forEachChild(node, (child) => describeNamed(child, at));
  }

  function describe(node: ts.Node, at: string): void {
    facts[`${at} exists`] = true;
    const { type, typeParameters } = node as Partial<ts.SignatureDeclaration>;
    if (typeParameters) facts[`${at} generic`] = typeParameters.map(textOf);
    if (hasMembers(node)) describeMembers(node, at);
    else if (ts.isFunctionLike(node)) describeCall(node, at);
    else if (!isType(node) && type) describe(type, at);
    else if (ts.isTypeNode(node)) describeType(node, at);
    else facts[`${at} type`] = [checker.typeToString(checker.getTypeAtLocation(node))];
  }

  /** A literal is a known value. There may be more of them later. */
  function describeType(node: ts.TypeNode, at: string): void {
    if (ts.isIntersectionTypeNode(node)) {
      for (const [index, part] of node.types.entries()) describe(part, `${at} &${index}`);
      return;
    }
    const types = ts.isUnionTypeNode(node) ? [...node.types] : [node];
    facts[`${at} known`] = types.filter(isValue).map(textOf);
    facts[`${at} type`] = types.filter((type) => !isValue(type)).map(textOf);
    for (const type of types) describeNamed(type, at);
  }

  function describeMembers(node: Members, at: string): void {
    const own = [...node.members].filter((member) => !isPrivate(member));
    facts[`${at} required`] = own.filter((member) => !('questionToken' in member && member.questionToken)).map(nameOf);
    for (const member of own) describe(member, unused(`${at}.${nameOf(member)}`));
    for (const clause of ts.isTypeLiteralNode(node) ? [] : (node.heritageClauses ?? [])) {
      facts[`${at} ${ts.tokenToString(clause.token)}`] = textOf(clause);
      describeNamed(clause, at);
    }
  }

  /** What a function takes, its caller passes in. */
  function describeCall(node: ts.SignatureDeclaration, at: string): void {
    const [direction = '', ...owner] = at.split(' ');
    const call = `${direction === 'request' ? 'response' : 'request'} ${owner.join(' ')}()`;
    const isRequired = (one: ts.ParameterDeclaration) => !one.questionToken && !one.dotDotDotToken && !one.initializer;
    facts[`${call} exists`] = true;
    facts[`${call} required`] = node.parameters.flatMap((one, index) => (isRequired(one) ? [index] : []));
    for (const [index, { type }] of node.parameters.entries()) if (type) describe(type, `${call}[${index}]`);
    if (node.type) describe(node.type, `${at} returns`);
    else if (!ts.isConstructorDeclaration(node))
      facts[`${at} text`] = checker.typeToString(checker.getTypeAtLocation(node));
  }

  const exported = Object.entries(entries).flatMap(([entry, file]) => {
    const module = checker.getSymbolAtLocation(program.getSourceFile(file) as ts.Node);
    return (module ? checker.getExportsOfModule(module) : []).map((symbol) => {
      const isTypeOnly = symbol.declarations?.some(ts.isTypeOnlyExportDeclaration) ?? false;
      const isRuntime = !isTypeOnly && Boolean(actual(symbol).flags & ts.SymbolFlags.Value);
      return { name: `${entry}.${symbol.name}`, symbol: actual(symbol), isRuntime };
    });
  });
  for (const { name, isRuntime } of exported) {
    facts[`response ${name} exists`] = true;
    facts[`response ${name} known`] = isRuntime ? ['type', 'value'] : ['type'];
  }
  // Values first: they show which types programs pass in.
  for (const { symbol, isRuntime } of exported) if (isRuntime) describeSymbol(symbol, 'response');
  for (const { symbol } of exported)
    if (!(`request ${symbol.name} exists` in facts)) describeSymbol(symbol, 'response');
  return facts;
}
