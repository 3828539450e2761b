import { globSync, readFileSync } from "node:fs";
import ts from "typescript";
import { expect, test } from "vitest";

const packages = globSync("packages/*/src");

// What a package passes on whole, and the function that reads it by name or in a loop.
const PASSED_ON: Readonly<Record<string, { reader: string; names: readonly string[] }>> = {
  "packages/http/src": { reader: "tell", names: ["onRequest", "onResponse", "onFailure"] },
  "packages/mapper-client/src": {
    reader: "buildPosition",
    names: ["latitude", "longitude", "altitude", "accuracy"],
  },
  "packages/webhook-types/src": { reader: "testContext", names: ["idempotencyKey"] },
  "packages/mobile-client/src": {
    reader: "handleEvent",
    names: ["router", "store", "tenant", "lease", "clock", "poison"],
  },
};

test.each(packages)("%s reads every option that it declares in a table", (folder) => {
  const files = globSync(`${folder}/**/*.ts`).filter((file) => !file.endsWith(".test.ts"));
  const sources = files.map((file) => readFileSync(file, "utf8"));
  const { reader = "", names = [] } = PASSED_ON[folder] ?? {};
  expect(sources.some((source) => source.includes(`${reader}(`))).toBe(true);
  expect(unreadOptions(sources)).toEqual(names);
});

test("the packages declare options in tables", () => {
  expect(packages.length).toBeGreaterThan(5);
  const sources = globSync("packages/*/src/**/*.ts").map((file) => readFileSync(file, "utf8"));
  expect(namesIn(sources).declared.size).toBeGreaterThan(30);
});

test.each([
  ["that nothing reads", "", ["second"]],
  ["that is only written", "export const own = { second: 1 };", ["second"]],
  ["that is destructured under another name", "const { second: own } = read({});", []],
  ["that is accessed", "read({}).second;", []],
])("of an option %s, the check finds %j", (_what, use, unread) => {
  const table = `const read = options<Two>("two", { first: aFunction, second: aFunction });`;
  expect(unreadOptions([table, "read({}).first;", use])).toEqual(unread);
  const spread = `const table: OptionTable<Two> = { first: aFunction, second: aFunction };`;
  expect(unreadOptions([spread, "read({}).first;", use])).toEqual(unread);
});

/** Returns the options that are in a table, and that no property access and no pattern names. */
function unreadOptions(sources: readonly string[]): string[] {
  const { declared, read } = namesIn(sources);
  return [...declared].filter((name) => !read.has(name));
}

function namesIn(sources: readonly string[]): { declared: Set<string>; read: Set<string> } {
  const declared = new Set<string>();
  const read = new Set<string>();

  function visit(node: ts.Node): void {
    for (const { name } of tableOf(node)?.properties ?? [])
      if (name !== undefined && "text" in name) declared.add(name.text);
    const name = readName(node);
    if (name !== undefined) read.add(name);
    ts.forEachChild(node, visit);
  }

  for (const source of sources)
    visit(ts.createSourceFile("source.ts", source, ts.ScriptTarget.Latest));
  return { declared, read };
}

/** Returns the table of a call `options<Type>(owner, table)`, or of a variable of the type `OptionTable`. */
function tableOf(node: ts.Node): ts.ObjectLiteralExpression | undefined {
  const isReader =
    ts.isCallExpression(node) && isNamed(node.expression, "options") && node.typeArguments;
  const isTable =
    ts.isVariableDeclaration(node) &&
    node.type !== undefined &&
    ts.isTypeReferenceNode(node.type) &&
    isNamed(node.type.typeName, "OptionTable");
  const table = isReader ? node.arguments[1] : isTable ? node.initializer : undefined;
  return table !== undefined && ts.isObjectLiteralExpression(table) ? table : undefined;
}

function isNamed(node: ts.Node, name: string): boolean {
  return ts.isIdentifier(node) && node.text === name;
}

/** Returns the name of the property that a node reads. */
function readName(node: ts.Node): string | undefined {
  if (ts.isPropertyAccessExpression(node)) return node.name.text;
  if (!ts.isBindingElement(node)) return undefined;
  const name = node.propertyName ?? node.name;
  return ts.isIdentifier(name) ? name.text : undefined;
}
