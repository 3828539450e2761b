import { join } from "node:path";
import { services } from "@fieldmesh/sandbox/internal/services";
import ts from "typescript";

/** What the source says of a value: its type, and what is written over it. */
export interface Text {
  readonly description?: string | undefined;
  /** What takes its place, or why nothing does. */
  readonly deprecated?: string | undefined;
  readonly example?: string | undefined;
  /** How it fails: each as its doc comment says it. */
  readonly throws?: readonly string[] | undefined;
  /** What counts where the field is left out. */
  readonly fallback?: string | undefined;
}

/** A function that the source declares, as a caller sees it. */
export interface Method {
  readonly name: string;
  readonly text: Text;
  readonly parameters: readonly Member[];
  readonly returns: ts.Type;
}

/** A member of an object, or a parameter. */
export interface Member {
  readonly name: string;
  readonly type: ts.Type;
  readonly isOptional: boolean;
  readonly text: Text;
}

/** The types of the sources, and the doc comments over them, which are written once. */
export type SourceTypes = ReturnType<typeof readSourceTypes>;

const root = join(import.meta.dirname, "..", "..");

/** Where the events are declared. */
export const EVENTS_FILE = "packages/webhook-types/src/index.ts";

/** Where a client keeps its tables. */
export function endpointsFile(id: string): string {
  return `packages/${id}/src/endpoints.ts`;
}

/** What a client exports. */
export function indexFile(id: string): string {
  return `packages/${id}/src/index.ts`;
}

/** Where the tables of the services and the events are. */
const TABLES = [
  EVENTS_FILE,
  ...services.flatMap(({ package: id }) => [endpointsFile(id), indexFile(id)]),
];

/** Reads files, by default those of the tables of the services and the events, as the compiler sees them. */
export function readSourceTypes(files: readonly string[] = TABLES) {
  const pathOf = (file: string): string => join(root, file);
  const program = ts.createProgram(files.map(pathOf), compilerOptions());
  const checker = program.getTypeChecker();
  const exportedBy = (file: string): ts.Symbol[] => {
    const module = checker.getSymbolAtLocation(program.getSourceFile(pathOf(file))!);
    return checker.getExportsOfModule(module!).map(unaliased);
  };
  const unaliased = (symbol: ts.Symbol): ts.Symbol =>
    symbol.flags & ts.SymbolFlags.Alias ? checker.getAliasedSymbol(symbol) : symbol;
  const textOf = (symbol: ts.Symbol): Text => {
    const all = symbol
      .getJsDocTags(checker)
      .map(({ name, text }) => [name, ts.displayPartsToString(text).trim()] as const);
    const tags = new Map(all);
    const throws = all.flatMap(([name, text]) => (name === "throws" ? [plain(text)] : []));
    const description = plain(ts.displayPartsToString(symbol.getDocumentationComment(checker)));
    return {
      ...(description !== "" && { description }),
      ...(tags.has("deprecated") && { deprecated: plain(tags.get("deprecated") ?? "") }),
      ...(tags.has("example") && { example: tags.get("example") }),
      ...(tags.has("default") && { fallback: tags.get("default") }),
      ...(throws.length > 0 && { throws }),
    };
  };
  const members = (type: ts.Type | undefined): readonly ts.Type[] => {
    if (type === undefined) return [];
    const some = checker.getNonNullableType(type);
    return some.isUnion() ? some.types : [some];
  };
  const symbolIn = (type: ts.Type | undefined, name: string): ts.Symbol | undefined =>
    members(type)
      .map((member) => checker.getPropertyOfType(member, name))
      .find((symbol) => symbol !== undefined);

  const memberOf = (symbol: ts.Symbol): Member => ({
    name: symbol.name,
    type: checker.getTypeOfSymbol(symbol),
    isOptional:
      (symbol.flags & ts.SymbolFlags.Optional) !== 0 ||
      symbol.declarations?.some((each) => ts.isParameter(each) && each.questionToken) === true,
    text: textOf(symbol),
  });
  const methodOf = (symbol: ts.Symbol): Method[] =>
    checker
      .getSignaturesOfType(checker.getTypeOfSymbol(symbol), ts.SignatureKind.Call)
      .slice(0, 1)
      .map((signature) => ({
        name: symbol.name,
        text: textOf(symbol),
        parameters: signature.getParameters().map(memberOf),
        returns: signature.getReturnType(),
      }));
  const ownProperties = (type: ts.Type): ts.Symbol[] =>
    checker
      .getPropertiesOfType(checker.getNonNullableType(type))
      .filter((symbol) => !symbol.name.startsWith("__") && isOurs(symbol));

  return {
    /** The functions of an object that no table of endpoints declares. */
    methodsOf: (type: ts.Type): Method[] =>
      ownProperties(type)
        .filter((symbol) => symbol.declarations?.some(isDeclaredMember) === true)
        .flatMap(methodOf),
    /** The function of a name that a file exports. */
    functionIn: (file: string, name: string): Method => {
      const [method] = exportedBy(file)
        .filter((each) => each.name === name)
        .flatMap(methodOf);
      if (method === undefined) throw new Error(`${file} exports no function ${name}`);
      return method;
    },
    /** The members of an object that our sources declare. */
    ownMembersOf: (type: ts.Type): Member[] => ownProperties(type).map(memberOf),
    /** What a source of any number of records has, such as `Iterable<T> | AsyncIterable<T>`. */
    elementOf: (type: ts.Type): ts.Type | undefined =>
      members(type).flatMap((each) =>
        /^(Async)?Iterable$/.test(each.symbol?.name ?? "")
          ? checker.getTypeArguments(each as ts.TypeReference)
          : [],
      )[0],
    /** What a promise, or another value that can be awaited, resolves to. */
    awaitedOf: (type: ts.Type): ts.Type | undefined => {
      const awaited = checker.getAwaitedType(type);
      return awaited === type ? undefined : awaited;
    },
    isFunction: (type: ts.Type): boolean =>
      checker.getNonNullableType(type).getCallSignatures().length > 0,
    isAsyncIterable: (type: ts.Type): boolean =>
      checker.getPropertiesOfType(type).some(({ name }) => name.startsWith("__@asyncIterator")),
    /** What a file exports, by name. */
    exportsOf: (file: string) =>
      new Map(exportedBy(file).map((symbol) => [symbol.name, checker.getTypeOfSymbol(symbol)])),
    /** The interface or alias of a name that a file exports. */
    declaredIn: (file: string, name: string) => {
      const symbol = exportedBy(file).find((each) => each.name === name);
      if (symbol === undefined) throw new Error(`${file} exports no ${name}`);
      return checker.getDeclaredTypeOfSymbol(symbol);
    },
    /** The doc comment of `interface X extends Methods<typeof table>`. */
    textOfTable: (file: string, table: string) => {
      const declaration = exportedBy(file).find(({ name }) => name === table)?.valueDeclaration;
      const found = declaration
        ?.getSourceFile()
        .statements.filter(ts.isInterfaceDeclaration)
        .find((each) => each.heritageClauses?.[0]?.getText().includes(`<typeof ${table}>`));
      const symbol = found && checker.getSymbolAtLocation(found.name);
      return symbol && textOf(symbol).description;
    },
    /** The arguments of a generic interface, such as those of Endpoint. */
    argumentsOf: (type: ts.Type) => checker.getTypeArguments(type as ts.TypeReference),
    /** Names of the fields. */
    fieldsOf: (type: ts.Type) => checker.getPropertiesOfType(type).map(({ name }) => name),
    field: (type: ts.Type | undefined, name: string) => {
      const symbol = symbolIn(type, name);
      return symbol && checker.getTypeOfSymbol(symbol);
    },
    textOfField: (type: ts.Type | undefined, name: string): Text => {
      const symbol = symbolIn(type, name);
      if (symbol === undefined) return {};
      const own = textOf(symbol);
      const shared = own.description === undefined ? schemaNamedBy(symbol, checker) : undefined;
      return shared === undefined ? own : { ...own, ...textOf(shared) };
    },
    element: (type: ts.Type | undefined) =>
      members(type)
        .map((member) => checker.getIndexTypeOfType(member, ts.IndexKind.Number))
        .find((element) => element !== undefined),
    /** The type as an editor shows it. */
    print: (type: ts.Type): string =>
      checker.typeToString(type, undefined, ts.TypeFormatFlags.NoTruncation),
    /** What any other key of a map holds. */
    valueOf: (type: ts.Type | undefined) =>
      type && checker.getIndexTypeOfType(type, ts.IndexKind.String),
    /** Members of a union without null and undefined; a type that is no union is its only member. */
    members,
    /** What a value of the type is read from a string as; `undefined` for an object. */
    primitiveOf: ({ flags }: ts.Type): "string" | "number" | "boolean" | undefined => {
      if (flags & ts.TypeFlags.StringLike) return "string";
      if (flags & (ts.TypeFlags.NumberLike | ts.TypeFlags.BigIntLike)) return "number";
      return flags & ts.TypeFlags.BooleanLike ? "boolean" : undefined;
    },
    /** The name of a record that has one of its own, with what is written over it. */
    nameOf: (type: ts.Type | undefined) => {
      if (type === undefined) return undefined;
      const some = checker.getNonNullableType(type);
      const symbol = some.aliasSymbol ?? (some.symbol as ts.Symbol | undefined);
      const declaration = symbol?.declarations?.find(isRecordDeclaration);
      const isFromPackage = declaration?.getSourceFile().fileName.includes("/packages/") === true;
      if (symbol === undefined || !isFromPackage || declaration.typeParameters !== undefined)
        return undefined;
      return { name: symbol.name, text: textOf(symbol) };
    },
  };
}

function isOurs({ declarations = [] }: ts.Symbol): boolean {
  return declarations.some((each) => each.getSourceFile().fileName.includes("/packages/"));
}

/** Not a row, which is a property of an object. */
function isDeclaredMember(node: ts.Declaration): boolean {
  return ts.isMethodSignature(node) || ts.isPropertySignature(node);
}

/** `device_id: id` has no text of its own, but the schema `id` has one. */
function schemaNamedBy(field: ts.Symbol, checker: ts.TypeChecker): ts.Symbol | undefined {
  const declaration = field.declarations?.find(ts.isPropertyAssignment);
  let value: ts.Node | undefined = declaration?.initializer;
  while (
    value !== undefined &&
    (ts.isCallExpression(value) || ts.isPropertyAccessExpression(value))
  )
    value = wrapped(value) ?? value.expression;
  const symbol = value && ts.isIdentifier(value) ? checker.getSymbolAtLocation(value) : undefined;
  if (symbol === undefined) return undefined;
  const target = symbol.flags & ts.SymbolFlags.Alias ? checker.getAliasedSymbol(symbol) : symbol;
  // A helper's text is about the helper.
  return target.valueDeclaration && ts.isVariableDeclaration(target.valueDeclaration)
    ? target
    : undefined;
}

/** The schema inside of `z.optional(id)`, `z.nullable(id)` or `z.nullish(id)`. */
function wrapped(value: ts.Expression): ts.Expression | undefined {
  return ts.isCallExpression(value) &&
    /^z\.(optional|null(able|ish))$/.test(value.expression.getText())
    ? value.arguments[0]
    : undefined;
}

function isRecordDeclaration(
  node: ts.Declaration,
): node is ts.InterfaceDeclaration | ts.TypeAliasDeclaration {
  return ts.isInterfaceDeclaration(node) || ts.isTypeAliasDeclaration(node);
}

/** Links lead nowhere outside of an editor; a line break within a paragraph is the width of our source. */
function plain(text: string): string {
  return text
    .replace(/\{@link (\S+?)\s*\}/g, "`$1`")
    .replace(/(\S)\n(?=[^\s-])/g, "$1 ")
    .trim();
}

function compilerOptions(): ts.CompilerOptions {
  const file = join(root, "tsconfig.base.json");
  const { config } = ts.readConfigFile(file, (path) => ts.sys.readFile(path)) as {
    config: unknown;
  };
  return ts.parseJsonConfigFileContent(config, ts.sys, root).options;
}
