import ts from "typescript";

const COMPILERS = new Set(["Function", "eval"]);

/**
 * Finds what could make code from text: any mention of `Function` or `eval` under whatever disguise, in a string as in
 * `globalThis["eval"]` too, and a call of `constructor`, because the constructor of a function is `Function`.
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
