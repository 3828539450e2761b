import { mkdirSync, mkdtempSync, renameSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, expect, it } from "vitest";
import { hashOf } from "./cache.ts";

let folder: string;

beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), "fieldmesh-cache-"));
  mkdirSync(join(folder, "deep"));
  writeFileSync(join(folder, "deep", "a.ts"), "one");
});
afterEach(() => rmSync(folder, { recursive: true }));

it.each<[string, () => void]>([
  ["a content", () => writeFileSync(join(folder, "deep", "a.ts"), "two")],
  ["a name", () => renameSync(join(folder, "deep", "a.ts"), join(folder, "deep", "b.ts"))],
  ["one file more", () => writeFileSync(join(folder, "b.ts"), "")],
  ["one file less", () => rmSync(join(folder, "deep", "a.ts"))],
  ["everything gone", () => rmSync(join(folder, "deep"), { recursive: true })],
])("sees %s", (_, change) => {
  const before = hashOf([folder]);
  expect(hashOf([folder])).toBe(before);
  change();
  expect(hashOf([folder])).not.toBe(before);
});
