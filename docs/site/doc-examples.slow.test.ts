import { mkdirSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { services } from "@fieldmesh/sandbox/internal/services";
import ts from "typescript";
import { afterAll, beforeAll, expect, test } from "vitest";
import { entriesOf, packages } from "../../tools/packages.ts";
import { readDocExamples } from "../samples.ts";

// What the API pages show. Names that an example takes for given are imported where a package exports them; anything
// else stands for a value of the caller's. Examples of endpoints are run besides, in tools/testing/contract.
const folder = join(import.meta.dirname, "..", ".samples-doc-comments");
// 2593 is for names of test runners.
const CANNOT_FIND_NAME = new Set([2304, 2552, 2593, 18004]);
/** An example may show the inside of a function. */
const RETURN_OUTSIDE = 1108;
/** The interface of each client: `ConsoleClient`. */
const CLIENTS: Readonly<Record<string, string>> = Object.fromEntries(
  services.map(({ name, package: id }) => [
    id,
    `${name.slice(0, 1).toUpperCase()}${name.slice(1)}Client`,
  ]),
);

/** The package of an entry. */
const SPLIT = /^@fieldmesh\/([\w-]+)/;

const examples = readDocExamples().map((example) => ({
  ...example,
  file: join(folder, `${example.name.replace(/\W/g, "-")}.ts`),
}));

beforeAll(() => mkdirSync(folder, { recursive: true }));
afterAll(() => rmSync(folder, { recursive: true, force: true }));

test("every example of a doc comment compiles", () => {
  expect(examples.length).toBeGreaterThan(150);
  const exported = readExports();
  for (const each of examples) write(each, "");
  const missing = new Map<string, Set<string>>();
  for (const { file, code, messageText } of diagnose()) {
    if (!CANNOT_FIND_NAME.has(code)) continue;
    const [, name = ""] = /'(\w+)'/.exec(ts.flattenDiagnosticMessageText(messageText, "\n")) ?? [];
    const names = missing.get(file!.fileName) ?? new Set();
    missing.set(file!.fileName, names.add(name));
  }
  for (const each of examples)
    write(
      each,
      [...(missing.get(each.file) ?? [])].map((name) => given(name, each, exported)).join("\n"),
    );
  const problems = diagnose().map(({ file, messageText }) => {
    const { name: where = "" } = examples.find((each) => each.file === file?.fileName) ?? {};
    return `${where}: ${ts.flattenDiagnosticMessageText(messageText, "\n")}`;
  });
  expect(problems).toEqual([]);
});

function write({ file, code }: (typeof examples)[number], head: string): void {
  writeFileSync(file, `${head}\n${code}\nexport {};\n`);
}

/** Entries of tables, which have the names that values of examples have. */
const TABLES: ReadonlySet<string> = new Set(["./endpoints", "./samples", "./internal/zod"]);

/** Values of the caller's whose type leads the compiler. */
const VALUES: Readonly<Record<string, string>> = {
  secret: "string",
  pool: 'import("@fieldmesh/webhook-types/stores").PgPool',
};

/** Returns the line that declares a name of an example. */
function given(
  name: string,
  { package: id }: (typeof examples)[number],
  exported: ReadonlyMap<string, string[]>,
): string {
  if (name === "z") return 'import * as z from "zod";';
  if (name === "client" && CLIENTS[id] !== undefined)
    return `declare const client: import("@fieldmesh/${id}").${CLIENTS[id]};`;
  const entries = exported.get(name) ?? [];
  const entry =
    entries.find((each) => SPLIT.exec(each)?.[1] === id) ??
    entries.find((each) => each === "@fieldmesh/core");
  if (entry !== undefined) return `import { ${name} } from "${entry}";`;
  return `declare const ${name}: ${VALUES[name] ?? "any"}; type ${name}<T = any> = any;`;
}

/** The entries that export a name. */
function readExports(): Map<string, string[]> {
  const entries = packages.flatMap(({ folder: home, manifest }) =>
    entriesOf(manifest)
      .filter(([path]) => !TABLES.has(path))
      .map(([path, source]) => ({
        entry: join(manifest.name, path),
        file: join(home, source),
      })),
  );
  const program = createProgram(entries.map(({ file }) => file));
  const checker = program.getTypeChecker();
  const exported = new Map<string, string[]>();
  for (const { entry, file } of entries) {
    const module = checker.getSymbolAtLocation(program.getSourceFile(file)!);
    for (const { name } of checker.getExportsOfModule(module!))
      exported.set(name, [...(exported.get(name) ?? []), entry]);
  }
  return exported;
}

/** What is wrong with the examples. The sources that they import are checked by `npm test`. */
function diagnose(): readonly ts.Diagnostic[] {
  const program = createProgram(examples.map(({ file }) => file));
  return examples
    .map(({ file }) => program.getSourceFile(file)!)
    .flatMap((file) => [
      ...program.getSyntacticDiagnostics(file),
      ...program.getSemanticDiagnostics(file),
    ])
    .filter(({ code }) => code !== RETURN_OUTSIDE);
}

let earlier: ts.Program | undefined;

/** Programs share the files that have not changed between them. */
function createProgram(files: readonly string[]): ts.Program {
  earlier = ts.createProgram(files, options(), undefined, earlier);
  return earlier;
}

function options(): ts.CompilerOptions {
  const config = ts.getParsedCommandLineOfConfigFile(
    join(import.meta.dirname, "..", "tsconfig.json"),
    {},
    { ...ts.sys, onUnRecoverableConfigFileDiagnostic: () => undefined },
  );
  // Examples show a line, not a program.
  return {
    ...config!.options,
    experimentalDecorators: true,
    noImplicitAny: false,
    verbatimModuleSyntax: false,
  };
}
