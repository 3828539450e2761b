import { mkdtempSync, readdirSync, readFileSync, rmSync, statSync, writeFileSync } from "node:fs";
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

test("nothing is left of a file that cannot be moved into place", () => {
  expect(() => replaceFile(folder, "new")).toThrow("rename");
  expect(readdirSync(folder)).toEqual([]);
  const beside = readdirSync(join(folder, "..")).filter((name) =>
    name.startsWith(`.${basename(folder)}-`),
  );
  expect(beside).toEqual([]);
  expect(() => replaceFile(join(folder, "missing", "a"), "new")).toThrow(/^ENOENT.*, open /);
});
