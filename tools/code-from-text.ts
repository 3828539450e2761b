import ts from "typescript";

const COMPILERS = new Set(["Function", "eval"]);

/**
 * Finds code that could be created from a string: any mention of `Function` or `eval`, even in a string such as
 * `globalThis["eval"]`, and calls of `constructor`, because the constructor of a function is `Function`.
 */
export function findCodeFromText(path: string, source: string): string[] {
  const found: string[] = [];
  const file = ts.createSourceFile(path, source, ts.ScriptTarget.Latest);
  file.forEachChild(function visit(node): void {
    if (isSuspicious(node)) {
      const { line } = file.getLineAndCharacterOfPosition(node.end);
      found.push(`${path}:${line + 1}: ${source.split("\n")[line]?.trim()}`);
    }
    node.forEachChild(visit);
  });
  return found;
}

function isSuspicious(node: ts.Node): boolean {
  if (ts.isIdentifier(node) || ts.isStringLiteralLike(node)) return COMPILERS.has(node.text);
  if (!ts.isCallExpression(node) && !ts.isNewExpression(node)) return false;
  const callee = node.expression;
  return ts.isPropertyAccessExpression(callee)
    ? callee.name.text === "constructor"
    : ts.isElementAccessExpression(callee) &&
        ts.isStringLiteralLike(callee.argumentExpression) &&
        callee.argumentExpression.text === "constructor";
}
