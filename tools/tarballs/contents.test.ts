import { expect, it } from "vitest";
import { root } from "../packages.ts";
import { contentProblems } from "./contents.ts";

const good = { "package.json": "{}", "README.md": "", LICENSE: "", "dist/index.js": "export {};" };

function problems(files: Record<string, string>): string[] {
  return contentProblems(new Map(Object.entries({ ...good, ...files })));
}

it("accepts a package that holds what users need", () => {
  expect(
    problems({
      "package.json": '{ "dependencies": { "ky": "^2", "zod": "^4", "@fieldmesh/core": "^1" } }',
    }),
  ).toEqual([]);
});

it.each([
  [
    "a dependency besides ky, zod and our own",
    { "package.json": '{ "dependencies": { "lodash": "^4" } }' },
  ],
  [
    "an entry that leads to a source",
    { "package.json": '{ "exports": { ".": "./src/index.ts" } }' },
  ],
  [
    "a range that only the workspace knows",
    { "package.json": '{ "dependencies": { "zod": "catalog:" } }' },
  ],
  ["an install script", { "package.json": '{ "scripts": { "postinstall": "node x.js" } }' }],
  ["a test", { "dist/labels.test.js": "" }],
  ["a source", { "src/index.ts": "" }],
  ["a path of this machine", { "dist/index.js": `// ${root}/packages/core/src/index.ts` }],
  ["a type of ky", { "dist/index.d.cts": "import { KyInstance } from 'ky';" }],
  ["a type of ky in passing", { "dist/index.d.ts": 'declare const x: import("ky").KyInstance;' }],
])("refuses %s", (_, files) => {
  expect(problems(files as Record<string, string>)).toHaveLength(1);
});

it("misses README and LICENSE", () => {
  expect(contentProblems(new Map([["package.json", "{}"]]))).toEqual([
    "README.md is missing",
    "LICENSE is missing",
  ]);
});
