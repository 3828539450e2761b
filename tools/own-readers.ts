import { join, relative } from "node:path";
import ts from "typescript";
import { root } from "./packages.ts";

/** Classes of the platform of which users pass values, perhaps of another realm. */
const CLASSES =
  /^(Date|AbortSignal|URL|URLSearchParams|Error|Uint8Array|ArrayBuffer|Headers|Request|Response|Blob|Promise|Map|Set|RegExp)$/;

/** The functions of core that read a time. */
const READERS = /\b(readStamp|timeOfStamp|dateOfStamp|millisecondsOf)\(/;

/** What was found in a source. */
export interface Found {
  readonly path: string;
  readonly code: string;
}

/** Opens the sources of packages, tools and examples, without their tests. `planted` is opened in place of them. */
export function openSources(planted?: Readonly<Record<string, string>>): ts.Program {
  const config = ts.getParsedCommandLineOfConfigFile(
    join(root, "tsconfig.json"),
    { noEmit: true },
    { ...ts.sys, onUnRecoverableConfigFileDiagnostic: () => undefined },
  );
  const options = config?.options ?? {};
  const host = ts.createCompilerHost(options);
  const readFile = host.readFile.bind(host);
  host.readFile = (name) => planted?.[relative(root, name)] ?? readFile(name);
  const names =
    planted === undefined
      ? (config?.fileNames ?? []).filter((name) => isSource(relative(root, name)))
      : Object.keys(planted).map((path) => join(root, path));
  return ts.createProgram(names, options, host);
}

function isSource(path: string): boolean {
  const isOfTest = /\.test(-d)?\.ts$|\/testing\/|\/store-kit\//.test(path);
  return /^(packages\/[^/]+\/(src|bin)|tools|examples)\//.test(path) && !isOfTest;
}

/** Finds what reads a time on its own: `Date.parse`, and `new Date` of anything but a number. */
export function findOwnReaders(program: ts.Program): Found[] {
  const checker = program.getTypeChecker();
  return find(program, (node) => {
    if (ts.isCallExpression(node)) return node.expression.getText() === "Date.parse";
    if (!ts.isNewExpression(node) || node.expression.getText() !== "Date") return false;
    const [value] = node.arguments ?? [];
    if (value === undefined) return false;
    return (checker.getTypeAtLocation(value).flags & ts.TypeFlags.NumberLike) === 0;
  });
}

/** Finds `instanceof` with a class of the platform, which a value of another realm does not pass. */
export function findRealmTests(program: ts.Program): Found[] {
  return find(
    program,
    (node) =>
      ts.isBinaryExpression(node) &&
      node.operatorToken.kind === ts.SyntaxKind.InstanceOfKeyword &&
      CLASSES.test(node.right.getText()),
  );
}

/** Finds `abort()` without a reason, which creates an error with its stack each time. */
export function findBareAborts(program: ts.Program): Found[] {
  return find(
    program,
    (node) =>
      ts.isCallExpression(node) &&
      ts.isPropertyAccessExpression(node.expression) &&
      node.expression.name.text === "abort" &&
      node.arguments.length === 0,
  );
}

/** Lists the sources that read times with a function of core. */
export function listReaders(program: ts.Program): string[] {
  return sourcesOf(program)
    .filter(({ text }) => READERS.test(text.replaceAll(/^ *(\/?\*|\/\/).*$/gm, "")))
    .map(({ fileName }) => relative(root, fileName));
}

function find(program: ts.Program, isFound: (node: ts.Node) => boolean): Found[] {
  return sourcesOf(program).flatMap((file) => {
    const found: Found[] = [];
    file.forEachChild(function visit(node): void {
      if (isFound(node))
        found.push({ path: relative(root, file.fileName), code: node.getText(file) });
      node.forEachChild(visit);
    });
    return found;
  });
}

function sourcesOf(program: ts.Program): readonly ts.SourceFile[] {
  return program.getSourceFiles().filter(({ fileName }) => isSource(relative(root, fileName)));
}
