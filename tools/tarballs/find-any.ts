import ts from "typescript";

/**
 * Finds every `any` that a user of some modules can meet, and names it by its path from the export.
 *
 * An import in a published .d.ts that does not resolve turns into `any` without a word for everybody
 * who has skipLibCheck on.
 *
 * @param entry A file that imports the modules to look at.
 * @param isOurs Tells by file name whose declarations to walk through.
 */
export function findAny(
  entry: string,
  options: ts.CompilerOptions,
  isOurs: (fileName: string) => boolean,
): string[] {
  const program = ts.createProgram([entry], options);
  const checker = program.getTypeChecker();
  const file = program.getSourceFile(entry);
  const seen = new Set<ts.Type>();
  const found: string[] = [];

  for (const statement of file?.statements ?? []) {
    if (!ts.isImportDeclaration(statement)) continue;
    const module = checker.getSymbolAtLocation(statement.moduleSpecifier);
    const name = statement.moduleSpecifier.getText(file).slice(1, -1);
    if (!module) found.push(`${name} (does not resolve)`);
    else
      for (const symbol of checker.getExportsOfModule(module))
        walkExport(symbol, `${name} ${symbol.name}`);
  }
  return found;

  function walkExport(exported: ts.Symbol, path: string): void {
    const symbol =
      exported.flags & ts.SymbolFlags.Alias ? checker.getAliasedSymbol(exported) : exported;
    if (symbol.flags & ts.SymbolFlags.Value) walk(checker.getTypeOfSymbol(symbol), path);
    if (symbol.flags & ts.SymbolFlags.Type) walk(checker.getDeclaredTypeOfSymbol(symbol), path);
  }

  function walk(type: ts.Type, path: string): void {
    if (type.flags & ts.TypeFlags.Any) found.push(path);
    if (seen.has(type)) return;
    seen.add(type);
    if (type.isUnionOrIntersection()) for (const part of type.types) walk(part, path);
    const declaration = (type.aliasSymbol ?? type.symbol)?.declarations?.[0];
    const home = declaration?.getSourceFile();
    const isLibrary = home !== undefined && program.isSourceFileDefaultLibrary(home);
    // Promise<any> counts, but what the language's own library or zod does inside is not ours to judge.
    if (isLibrary || (home && isOurs(home.fileName))) walkArguments(type, path);
    if (!home || !isOurs(home.fileName)) return;
    for (const property of type.getProperties()) {
      // Stands in a .d.ts for all private fields together, and nobody can reach it.
      if (property.name.endsWith("#private")) continue;
      const at = property.declarations?.[0]?.getSourceFile().fileName;
      if (at !== undefined && isOurs(at))
        walk(checker.getTypeOfSymbol(property), `${path}.${property.name}`);
    }
    for (const signature of [...type.getCallSignatures(), ...type.getConstructSignatures()]) {
      for (const parameter of signature.parameters)
        walk(checker.getTypeOfSymbol(parameter), `${path}(${parameter.name})`);
      walk(signature.getReturnType(), `${path}()`);
    }
  }

  function walkArguments(type: ts.Type, path: string): void {
    const { target } = type as Partial<ts.TypeReference>;
    const given = target
      ? checker.getTypeArguments(type as ts.TypeReference)
      : (type.aliasTypeArguments ?? []);
    const defaults =
      target?.typeParameters?.map((each) => checker.getDefaultFromTypeParameter(each)) ?? [];
    given.forEach((argument, index) => {
      // AsyncIterable<T> is AsyncIterable<T, any, any> by the language's own default.
      if (argument !== defaults[index]) walk(argument, `${path}<>`);
    });
  }
}
