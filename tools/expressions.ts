import ts from "typescript";

/** A regular expression in a source. */
export interface Expression {
  /** File and line. */
  readonly place: string;
  readonly source: string;
  readonly flags: string;
}

/** Finds every regular expression that a source writes as a literal, or passes to `RegExp` as a string. */
export function findExpressions(path: string, source: string): Expression[] {
  const found: Expression[] = [];
  const file = ts.createSourceFile(path, source, ts.ScriptTarget.Latest);
  file.forEachChild(function visit(node): void {
    const expression = readExpression(node);
    if (expression !== undefined) {
      const { line } = file.getLineAndCharacterOfPosition(node.end);
      found.push({ place: `${path}:${line + 1}`, ...expression });
    }
    node.forEachChild(visit);
  });
  return found;
}

function readExpression(node: ts.Node): Omit<Expression, "place"> | undefined {
  if (ts.isRegularExpressionLiteral(node)) {
    const end = node.text.lastIndexOf("/");
    return { source: node.text.slice(1, end), flags: node.text.slice(end + 1) };
  }
  if (!ts.isNewExpression(node) && !ts.isCallExpression(node)) return undefined;
  if (!ts.isIdentifier(node.expression) || node.expression.text !== "RegExp") return undefined;
  const [source, flags] = node.arguments ?? [];
  return { source: textOf(source), flags: flags === undefined ? "" : textOf(flags) };
}

/** Returns the string of a literal. Each value in a template counts as a number. */
function textOf(node: ts.Node | undefined): string {
  if (node !== undefined && ts.isStringLiteralLike(node)) return node.text;
  if (node === undefined || !ts.isTemplateExpression(node))
    throw new TypeError("RegExp: write its expression as a literal, so that it can be checked.");
  return node.head.text + node.templateSpans.map(({ literal }) => `9${literal.text}`).join("");
}
