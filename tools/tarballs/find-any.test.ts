import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import ts from "typescript";
import { afterAll, expect, it } from "vitest";
import { findAny } from "./find-any.ts";

const folder = mkdtempSync(join(tmpdir(), "fieldmesh-any-"));
afterAll(() => rmSync(folder, { recursive: true }));

/** What is found in a module of that text. */
function anyIn(declarations: string): string[] {
  const entry = join(folder, "entry.ts");
  writeFileSync(join(folder, "lib.d.ts"), declarations);
  writeFileSync(entry, 'import "./lib.ts";');
  const options = {
    module: ts.ModuleKind.NodeNext,
    strict: true,
    types: [],
    lib: ["lib.es2018.d.ts"],
    noEmit: true,
  };
  return findAny(entry, options, (fileName) => fileName.startsWith(folder.replaceAll("\\", "/")));
}

it.each([
  [
    "every type is known",
    "export interface Label { name: string; own: Label[] }\nexport declare function get(id: string): Promise<Label>;",
  ],
  ["the language has it as a default", "export declare function pages(): AsyncIterable<string>;"],
  ["nobody can reach it", "export declare class Secret { #private; reveal(): string }"],
])("finds nothing where %s", (_, text) => {
  expect(anyIn(text)).toEqual([]);
});

it.each([
  ["a value", "export declare const x: any;", "x"],
  ["a property", "export interface Label { name: any }", "Label.name"],
  ["a parameter", "export declare function get(id: any): void;", "get(id)"],
  ["what a promise gives", "export declare function get(): Promise<any>;", "get()<>"],
  [
    "an import that leads nowhere",
    'import { Secret } from "gone";\nexport interface Key { value: Secret }',
    "Key.value",
  ],
  [
    "a method of a class",
    'import { Secret } from "gone";\nexport declare class Key { reveal(): Secret }',
    "Key().reveal()",
  ],
  [
    "a part of an alias",
    'import { Secret } from "gone";\nexport type Key = { a: Secret } | undefined;',
    "Key.a",
  ],
])("finds %s", (_, text, path) => {
  expect(anyIn(text)).toContain(`./lib.js ${path}`);
});

it("finds a module that does not resolve", () => {
  const entry = join(folder, "entry.ts");
  writeFileSync(entry, 'import "@fieldmesh/nowhere";');
  expect(findAny(entry, { module: ts.ModuleKind.NodeNext }, () => true)).toEqual([
    "@fieldmesh/nowhere (does not resolve)",
  ]);
});
