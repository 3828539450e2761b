import ts from "typescript";

/** Returns a sample as a module whose default export runs it: its imports, and a function with all else. */
export function toModule(code: string): string {
  const file = ts.createSourceFile("sample.ts", code, ts.ScriptTarget.Latest);
  const imports = file.statements.filter(ts.isImportDeclaration);
  const others = file.statements.filter((statement) => !ts.isImportDeclaration(statement));
  const head = imports.map((statement) => statement.getFullText(file)).join("");
  const body = others.map((statement) => withoutExport(statement, file)).join("");
  return `${head}\nexport default async () => {${body}\n};\n`;
}

/** A function exports nothing. */
function withoutExport(statement: ts.Statement, file: ts.SourceFile): string {
  const text = statement.getFullText(file);
  if (ts.isExportAssignment(statement)) return `\nvoid (${statement.expression.getText(file)});`;
  const modifiers = ts.canHaveModifiers(statement) ? ts.getModifiers(statement) : undefined;
  return modifiers?.[0]?.kind === ts.SyntaxKind.ExportKeyword ? text.replace("export ", "") : text;
}
