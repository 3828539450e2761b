import {
  existsSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  writeFileSync,
} from "node:fs";
import { tmpdir } from "node:os";
import { basename, join } from "node:path";
import { afterEach, beforeEach, expect, test } from "vitest";
import { replaceFile } from "./replace-file.ts";

let folder: string;
let file: string;
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), "fieldmesh-replace-"));
  file = join(folder, "a.json");
});
afterEach(() => rmSync(folder, { recursive: true }));

test("a file that others could read is replaced by one that only this user can read", () => {
  writeFileSync(file, "old", { mode: 0o644 });
  replaceFile(file, "new");
  expect(readFileSync(file, "utf8")).toBe("new");
  expect(statSync(file).mode & 0o777).toBe(0o600);
  expect(readdirSync(folder)).toEqual(["a.json"]);
});

test("the file is written beside its place first, and never over what is there", () => {
  const beside = join(folder, `.a.json-${process.pid}`);
  writeFileSync(file, "old");
  writeFileSync(beside, "what a killed process left");
  expect(() => replaceFile(file, "new")).toThrow("EEXIST");
  expect(readFileSync(file, "utf8")).toBe("old");
  // It is in nobody's way again.
  expect(readdirSync(folder)).toEqual(["a.json"]);
  replaceFile(file, "new");
  expect(readFileSync(file, "utf8")).toBe("new");
});

test("nothing is left of a file that cannot be moved into place", () => {
  expect(() => replaceFile(folder, "new")).toThrow("rename");
  expect(readdirSync(folder)).toEqual([]);
  expect(existsSync(`${join(folder, "..")}/.${basename(folder)}-${process.pid}`)).toBe(false);
  expect(() => replaceFile(join(folder, "missing", "a"), "new")).toThrow(/^ENOENT.*, open /);
});
