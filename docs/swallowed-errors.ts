import ts from "typescript";

/**
 * Finds every `.catch(…)` and `catch` block that neither throws nor prints: a reader who copies it never learns that
 * something failed. Returns their lines.
 */
export function findSwallowedErrors(code: string): string[] {
  const file = ts.createSourceFile("sample.ts", code, ts.ScriptTarget.Latest, true);
  const found: string[] = [];
  const visit = (node: ts.Node): void => {
    const handler = handlerOf(node);
    if (handler !== undefined && !tells(handler)) {
      const { line } = file.getLineAndCharacterOfPosition(node.getEnd());
      found.push(`${line + 1}: ${node.getText().slice(0, 80)}`);
    }
    ts.forEachChild(node, visit);
  };
  visit(file);
  return found;
}

/** What handles an error at this node, if something does. */
function handlerOf(node: ts.Node): ts.Node | undefined {
  if (ts.isCatchClause(node)) return node.block;
  if (!ts.isCallExpression(node) || !ts.isPropertyAccessExpression(node.expression))
    return undefined;
  return node.expression.name.text === "catch" ? node.arguments[0] : undefined;
}

const PRINTS = /^(console\.|process\.std|reply|response|res\.|expect|expected|fail)/;

/** Returns true for code that throws, that prints, or that hands the error to something that does. */
function tells(node: ts.Node): boolean {
  if (ts.isThrowStatement(node)) return true;
  if (ts.isCallExpression(node) && PRINTS.test(node.expression.getText())) return true;
  return ts.forEachChild(node, (child) => tells(child) || undefined) ?? false;
}
