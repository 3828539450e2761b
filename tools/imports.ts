import ts from "typescript";

/** One import, export-from, `import()` or `import("…")` type of a file. */
export interface Import {
  readonly from: string;
  /** What is taken by name; empty for `import * as x`, `export *` and the two call forms. */
  readonly names: readonly string[];
  readonly isNamespace: boolean;
}

export interface SourceFile {
  readonly imports: readonly Import[];
  /** Exported constants that hold rows, that is calls of `endpoint()`. */
  readonly tables: readonly string[];
}

/** Reads a file with the compiler's parser, so that an import in a comment is none. */
export function readSource(text: string): SourceFile {
  const file = ts.createSourceFile("file.ts", text, ts.ScriptTarget.Latest);
  const imports: Import[] = [];
  visit(file);
  return { imports, tables: file.statements.flatMap(tablesIn) };

  function visit(node: ts.Node): void {
    const found = toImport(node);
    if (found) imports.push(found);
    ts.forEachChild(node, visit);
  }
}

function toImport(node: ts.Node): Import | undefined {
  if (ts.isImportDeclaration(node)) {
    const { name, namedBindings: bindings } = node.importClause ?? {};
    const isNamespace = bindings !== undefined && ts.isNamespaceImport(bindings) && !name;
    const named = bindings && ts.isNamedImports(bindings) ? bindings.elements.map(nameOf) : [];
    return {
      from: textOf(node.moduleSpecifier),
      names: name ? ["default", ...named] : named,
      isNamespace,
    };
  }
  if (ts.isExportDeclaration(node) && node.moduleSpecifier) {
    const named = node.exportClause && ts.isNamedExports(node.exportClause);
    const names = named ? node.exportClause.elements.map(nameOf) : [];
    return { from: textOf(node.moduleSpecifier), names, isNamespace: false };
  }
  const called = ts.isCallExpression(node) && node.expression.kind === ts.SyntaxKind.ImportKeyword;
  const target = called ? node.arguments[0] : ts.isImportTypeNode(node) ? node.argument : undefined;
  return target && { from: textOf(target), names: [], isNamespace: false };
}

function tablesIn(statement: ts.Statement): string[] {
  if (!ts.isVariableStatement(statement)) return [];
  if (!statement.modifiers?.some(({ kind }) => kind === ts.SyntaxKind.ExportKeyword)) return [];
  return statement.declarationList.declarations.flatMap(({ name, initializer }) =>
    initializer && holdsRows(initializer) && ts.isIdentifier(name) ? [name.text] : [],
  );
}

function holdsRows(node: ts.Node): boolean {
  if (ts.isSatisfiesExpression(node) || ts.isAsExpression(node)) return holdsRows(node.expression);
  if (!ts.isObjectLiteralExpression(node)) return false;
  return node.properties.some(
    (property) =>
      ts.isPropertyAssignment(property) &&
      ts.isCallExpression(property.initializer) &&
      ts.isIdentifier(property.initializer.expression) &&
      property.initializer.expression.text === "endpoint",
  );
}

function nameOf({ propertyName, name }: ts.ImportSpecifier | ts.ExportSpecifier): string {
  return (propertyName ?? name).text;
}

function textOf(node: ts.Node): string {
  if (ts.isLiteralTypeNode(node)) return textOf(node.literal);
  return ts.isStringLiteralLike(node) ? node.text : "";
}
