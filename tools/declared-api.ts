import { join } from "node:path";
import ts from "typescript";
import { packages, publicEntries, root } from "./packages.ts";

/** Opens the entries of all packages. `changed` contains the source of files that differ from the disk. */
export function openEntries(changed: Readonly<Record<string, string>> = {}): ts.Program {
  const config = ts.getParsedCommandLineOfConfigFile(
    join(root, "tsconfig.json"),
    {},
    { ...ts.sys, onUnRecoverableConfigFileDiagnostic: () => undefined },
  );
  const options = { ...config?.options, noEmit: true };
  const host = ts.createCompilerHost(options);
  const readFile = host.readFile.bind(host);
  host.readFile = (name) => changed[name] ?? readFile(name);
  return ts.createProgram(
    packages.flatMap(({ folder, manifest }) =>
      publicEntries(manifest).map(([, source]) => join(folder, source)),
    ),
    options,
    host,
  );
}

/** A method of a client. */
export interface ClientMethod {
  /** For example `console-client: labels.get`. */
  readonly name: string;
  readonly parameters: readonly ts.Symbol[];
  /** The errors that its doc comment lists. */
  readonly throws: readonly string[];
}

/** Lists the methods of every client, including those of its resources. */
export function listMethods(program: ts.Program): ClientMethod[] {
  const checker = program.getTypeChecker();
  return listTypes(program, /^[A-Z][a-z]+Client$/)
    .filter(({ name }) => /-client: /.test(name))
    .flatMap(({ name, type }) => methodsOf(type, name.replace(/:.*/, ": ")));

  function methodsOf(type: ts.Type, prefix: string): ClientMethod[] {
    return checker.getPropertiesOfType(type).flatMap((symbol) => {
      const memberType = checker.getTypeOfSymbol(symbol);
      const [signature] = checker.getSignaturesOfType(memberType, ts.SignatureKind.Call);
      const name = prefix + symbol.name;
      if (signature === undefined) return methodsOf(memberType, `${name}.`);
      const throws = symbol
        .getJsDocTags(checker)
        .filter((tag) => tag.name === "throws")
        .map(({ text }) => ts.displayPartsToString(text));
      return { name, parameters: signature.parameters, throws };
    });
  }
}

/** Lists the names of the exports of a package. */
export function listExports(program: ts.Program, id: string): string[] {
  return listTypes(program, /./)
    .filter(({ name }) => name.startsWith(`${id}: `))
    .map(({ name }) => name.slice(id.length + 2));
}

const LISTS: ReadonlySet<string> = new Set(["Array", "ReadonlyArray", "Iterable", "AsyncIterable"]);

/** Nobody writes their fields: they are results of our own functions. */
const MADE_BY_FUNCTIONS: ReadonlySet<string> = new Set(["Sandbox"]);

/** A field of an input. */
export interface InputField {
  /** For example `console-client: labels.get.label_id`. */
  readonly name: string;
  /** The description in its hover. */
  readonly text: string;
}

/** Lists the input fields of the methods of every client, and the fields of every exported type of options. */
export function listInputFields(program: ts.Program): InputField[] {
  const checker = program.getTypeChecker();
  return [
    ...listMethods(program).flatMap(({ name, parameters }) =>
      parameters.flatMap((parameter) => fieldsOf(checker.getTypeOfSymbol(parameter), name)),
    ),
    ...listTypes(program, /Options$/).flatMap(({ name, type }) => fieldsOf(type, name)),
  ];

  function fieldsOf(type: ts.Type, prefix: string, around: readonly ts.Type[] = []): InputField[] {
    if (type.isUnion()) return type.types.flatMap((member) => fieldsOf(member, prefix, around));
    if (LISTS.has(type.symbol?.name ?? ""))
      return checker
        .getTypeArguments(type as ts.TypeReference)
        .flatMap((item) => fieldsOf(item, `${prefix}[]`, around));
    if (MADE_BY_FUNCTIONS.has(type.symbol?.name ?? type.aliasSymbol?.name ?? "")) return [];
    const isFunction = checker.getSignaturesOfType(type, ts.SignatureKind.Call).length > 0;
    const isClass = type.symbol !== undefined && (type.symbol.flags & ts.SymbolFlags.Class) !== 0;
    if (isFunction || isClass || around.includes(type)) return [];
    return checker
      .getPropertiesOfType(type)
      .filter(isOurs)
      .flatMap((field) => {
        const name = `${prefix}.${field.name}`;
        const text = ts.displayPartsToString(field.getDocumentationComment(checker));
        const inner = fieldsOf(checker.getTypeOfSymbol(field), name, [...around, type]);
        return [{ name, text }, ...inner];
      });
  }
}

/** Lists the exports of all entries whose name matches. */
export function listTypes(
  program: ts.Program,
  pattern: RegExp,
): (InputField & { type: ts.Type })[] {
  const checker = program.getTypeChecker();
  return packages.flatMap(({ id, folder, manifest }) =>
    publicEntries(manifest).flatMap(([, source]) => {
      const file = program.getSourceFile(join(folder, source));
      const entry = file === undefined ? undefined : checker.getSymbolAtLocation(file);
      if (entry === undefined) throw new Error(`${id} has no ${source}`);
      return checker
        .getExportsOfModule(entry)
        .filter(({ name }) => pattern.test(name))
        .map((symbol) =>
          symbol.flags & ts.SymbolFlags.Alias ? checker.getAliasedSymbol(symbol) : symbol,
        )
        .map((symbol) => ({
          name: `${id}: ${symbol.name}`,
          text: ts.displayPartsToString(symbol.getDocumentationComment(checker)),
          type: checker.getDeclaredTypeOfSymbol(symbol),
        }));
    }),
  );
}

/**
 * Tells whether a declaration is ours. The language and other packages have their own texts, and a library writes its own after a
 * tilde.
 */
function isOurs({ name, declarations }: ts.Symbol): boolean {
  const file = declarations?.[0]?.getSourceFile().fileName ?? "";
  return (
    file.startsWith(join(root, "packages")) && !file.includes("node_modules") && name[0] !== "~"
  );
}
