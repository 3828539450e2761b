import ts from "typescript";
import { expect, test } from "vitest";
import { openEntries } from "./declared-api.ts";

const CONTEXT = "testContext returns all options together: the handlers of a user read them";
const ENDS = "read by withEnd and isOver, which all faults share";
const FIELD = "read in a loop over the four fields of a position";
const HOOK = "called by its name, which is in the event";
const SWITCH = "read from the switches that are made of the presets and the options";

/** Options that no property access and no pattern of their interface names, and how they are read. */
const PASSED_ON: Readonly<Record<string, string>> = {
  "ClientOptions.dangerouslyAllowBrowser":
    "read by checkBrowser, which declares it with another type",
  "EventContext.attempt": CONTEXT,
  "EventContext.delivery": CONTEXT,
  "EventContext.idempotencyKey": CONTEXT,
  "EventContext.order": CONTEXT,
  "EventContext.signal": CONTEXT,
  "EventContext.tenant": CONTEXT,
  "FaultRate.duration": ENDS,
  "FaultRate.until": ENDS,
  "Hooks.onFailure": HOOK,
  "Hooks.onRequest": HOOK,
  "Hooks.onResponse": HOOK,
  "LedgerOptions.requestsPerMinute": SWITCH,
  "MapperOptions.inputs": SWITCH,
  "MapperOptions.requestsPerMinute": SWITCH,
  "MapperOptions.responses": SWITCH,
  "MobileOptions.inputs": SWITCH,
  "an option.accuracy": FIELD,
  "an option.altitude": FIELD,
  "an option.duration": ENDS,
  "an option.kind": "a member of a union of faults, which narrows by it",
  "an option.latitude": FIELD,
  "an option.longitude": FIELD,
  "an option.parse": "passed on by createReceiver and createQueueWorker with the parser's own type",
};

test("every option of a table is read", () => {
  const program = openEntries();
  const { declared, read } = optionsIn(program);
  expect(declared.size).toBeGreaterThan(150);
  const unread = [...declared].flatMap(([option, name]) => (read.has(option) ? [] : [name]));
  expect(unread.toSorted(), "read it, or say how").toEqual(Object.keys(PASSED_ON).toSorted());
}, 100_000);

/** Returns the declarations of the options that have a row in a table, and those of all properties that are read. */
function optionsIn(program: ts.Program) {
  const checker = program.getTypeChecker();
  const declared = new Map<ts.Node, string>();
  const names = new Set<string>();
  const read = new Set<ts.Node>();

  function declare(node: ts.Node): void {
    for (const option of rowsOf(node)) {
      const [declaration] = option.declarations ?? [];
      const owner = declaration?.parent as ts.InterfaceDeclaration | undefined;
      if (declaration === undefined) continue;
      declared.set(declaration, `${owner?.name?.text ?? "an option"}.${option.name}`);
      names.add(option.name);
    }
    ts.forEachChild(node, declare);
  }

  function visit(node: ts.Node): void {
    for (const declaration of readBy(node)?.declarations ?? []) read.add(declaration);
    ts.forEachChild(node, visit);
  }

  /** Returns the options of `options<Options>(owner, table)` or of a table of the type `OptionTable<Options>`. */
  function rowsOf(node: ts.Node): readonly ts.Symbol[] {
    const isTable =
      (ts.isCallExpression(node) && isNamed(node.expression, "options")) ||
      (ts.isTypeReferenceNode(node) && isNamed(node.typeName, "OptionTable"));
    const [type] = isTable ? (node.typeArguments ?? []) : [];
    return type === undefined ? [] : checker.getTypeFromTypeNode(type).getProperties();
  }

  /** Asks the compiler only of names that options have: most of the time goes there. */
  function readBy(node: ts.Node): ts.Symbol | undefined {
    if (ts.isPropertyAccessExpression(node))
      return names.has(node.name.text) ? checker.getSymbolAtLocation(node.name) : undefined;
    if (!ts.isBindingElement(node)) return undefined;
    const name = node.propertyName ?? node.name;
    if (!ts.isIdentifier(name) || !names.has(name.text)) return undefined;
    return checker.getTypeAtLocation(node.parent).getProperty(name.text);
  }

  const ours = program
    .getSourceFiles()
    .filter(({ fileName }) => /\/packages\/[^/]+\/src\//.test(fileName));
  for (const file of ours) declare(file);
  for (const file of ours) visit(file);
  return { declared, read };
}

function isNamed(node: ts.Node, name: string): boolean {
  return ts.isIdentifier(node) && node.text === name;
}
