import { stringifyJson } from "@fieldmesh/core";
import type { Service } from "@fieldmesh/sandbox/internal/services";
import ts from "typescript";
import type { Row } from "../documents/operations.ts";
import { indexFile, type SourceTypes, type Text } from "../documents/source-types.ts";
import { keyVariable, urlVariable } from "./curl.ts";

/** Values of examples that differ from the input of a sample, or are not in it. */
const VALUES: Readonly<Record<string, string>> = {
  label: '{ id: "3a1f4c7e-58b2-4d06-9e1d-6f0c2b8a7d95" }',
  device: '{ id: "d2f0c5b1-6c0d-4f7e-8d39-51d1a2b3c4d5" }',
  token: "process.env.PARTNER_TOKEN!",
  key: "process.env.CLOUD_KEY!",
  access: "process.env.CLOUD_ACCESS_KEY!",
  secret: "process.env.CLOUD_SECRET_KEY!",
};

/** Values of the examples of methods that have no row, and so no sample. */
const METHOD_VALUES: Readonly<Record<string, string>> = {
  device_id: '"d2f0c5b1-6c0d-4f7e-8d39-51d1a2b3c4d5"',
  id: '"d2f0c5b1-6c0d-4f7e-8d39-51d1a2b3c4d5"',
  ids: '["d2f0c5b1-6c0d-4f7e-8d39-51d1a2b3c4d5"]',
  devices:
    '[{ name: "Tank 7", dev_eui: "0004A30B001C0530", app_eui: "70B3D57ED0000001", app_key: process.env.APP_KEY! }]',
};

/** Returns the example of a row as a program to copy: with its imports, the client, and the values that it uses. */
export function programOf({ text, endpoint, call }: Row, service: Service, types: SourceTypes) {
  const input = endpoint.sample.input as Readonly<Record<string, unknown>>;
  return programWith(text.example, { service, types }, (name) => valueOf(name, input, call));
}

/** Returns the example of a method that no endpoint has, as a program to copy. */
export function programOfMethod(
  { text, call }: { readonly text: Text; readonly call: string },
  service: Service,
  types: SourceTypes,
): string {
  // Its client is another one than that of the program.
  if (text.example?.includes("createSandbox") === true || call.startsWith("create"))
    return exampleOf(text.example);
  return programWith(
    text.example,
    { service, types },
    (name) => METHOD_VALUES[name] ?? valueOf(name, {}, call),
  );
}

/** The name of a client in its types: `ConsoleClient`. */
export function clientName({ name }: Service): string {
  return `${capitalized(name)}Client`;
}

function exampleOf(example = ""): string {
  return example.replace(/^```ts\n|\n```$/g, "");
}

function programWith(
  text: string | undefined,
  { service, types }: { readonly service: Service; readonly types: SourceTypes },
  valueFor: (name: string) => string,
): string {
  const example = exampleOf(text);
  const exported = types.exportsOf(indexFile(service.package));
  const names = unboundNames(example);
  const helpers = names.filter((name) => exported.has(name));
  const values = names
    .filter((name) => name !== "z" && name !== "client" && !exported.has(name))
    .map((name) => `const ${name} = ${valueFor(name)};`);
  return [
    `import { ${[`create${clientName(service)}`, ...helpers].join(", ")} } from "@fieldmesh/${service.package}";`,
    ...(names.includes("z") ? ['import * as z from "zod";'] : []),
    "",
    `const client = create${clientName(service)}({`,
    `  baseUrl: process.env.${urlVariable(service)}!,`,
    ...(service.credential === undefined
      ? []
      : [`  apiKey: process.env.${keyVariable(service)}!,`]),
    "});",
    ...values,
    "",
    example,
  ].join("\n");
}

function valueOf(name: string, input: Readonly<Record<string, unknown>>, call: string): string {
  const value = valueIn(input, name);
  const source = VALUES[name] ?? (value === undefined ? undefined : sourceOf(value));
  if (source === undefined)
    throw new Error(`The example of ${call} uses ${name}, which has no value.`);
  return source;
}

function valueIn(input: Readonly<Record<string, unknown>>, name: string): unknown {
  // The one method of the map accepts the uplink as it is.
  if (name === "uplink") return input;
  // A path has `id` where an example says whose id it is.
  return input[name] ?? (name.endsWith("_id") ? input["id"] : undefined);
}

/** Writes a value of a sample with names without quotation marks. */
function sourceOf(value: unknown): string {
  return stringifyJson(value, { space: 2 }).replace(/^( *)"([a-z_]\w*)":/gim, "$1$2:");
}

const GLOBALS = new Set([
  "console",
  "Number",
  "Date",
  "undefined",
  "process",
  "JSON",
  "Math",
  "encodeURIComponent",
]);

/** Returns the names that a program uses and does not declare. */
function unboundNames(code: string): string[] {
  const declared = new Set<string>();
  const used = new Set<string>();
  const visit = (node: ts.Node): void => {
    if (ts.isIdentifier(node)) {
      if (isDeclared(node)) declared.add(node.text);
      else if (!isMember(node)) used.add(node.text);
    }
    ts.forEachChild(node, visit);
  };
  visit(ts.createSourceFile("example.ts", code, ts.ScriptTarget.Latest, true));
  return [...used].filter((name) => !declared.has(name) && !GLOBALS.has(name));
}

function isDeclared(node: ts.Identifier): boolean {
  const { parent } = node;
  const declares =
    ts.isVariableDeclaration(parent) || ts.isParameter(parent) || ts.isBindingElement(parent);
  return declares && parent.name === node;
}

/** Tells whether an identifier names a member of an object. */
function isMember(node: ts.Identifier): boolean {
  const { parent } = node;
  if (ts.isBindingElement(parent)) return parent.propertyName === node;
  return (
    (ts.isPropertyAccessExpression(parent) || ts.isPropertyAssignment(parent)) &&
    parent.name === node
  );
}

function capitalized(name: string): string {
  return name.charAt(0).toUpperCase() + name.slice(1);
}
