import {
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  symlinkSync,
  writeFileSync,
} from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, expect, test } from "vitest";
import { createSandbox } from "../engine/sandbox/sandbox.ts";
import { readSnapshot, saveSnapshot } from "./snapshot-file.ts";

const folder = mkdtempSync(join(tmpdir(), "fieldmesh-snapshot-"));
afterAll(() => rmSync(folder, { recursive: true }));

test("a snapshot is written to a file that only this user can read, and a sandbox starts from it", () => {
  const file = join(folder, "fleet.snapshot.json");
  const snapshot = createSandbox({ seed: 5 }).snapshot();
  saveSnapshot(file, snapshot);
  expect(statSync(file).mode & 0o777).toBe(0o600);
  const again = createSandbox({ snapshot: readSnapshot(file) });
  expect(JSON.stringify(again.snapshot())).toBe(JSON.stringify(snapshot));
  saveSnapshot(file, again.snapshot());
  expect(readdirSync(folder)).toEqual(["fleet.snapshot.json"]);
});

test("another file is not changed, and a link is replaced and not followed", () => {
  const [other, link, target] = ["notes.txt", "link.json", "target.json"].map((name) =>
    join(folder, name),
  ) as [string, string, string];
  const snapshot = createSandbox().snapshot();
  writeFileSync(other, "my notes");
  expect(() => saveSnapshot(other, snapshot)).toThrow("is not a snapshot of a sandbox");
  expect(readFileSync(other, "utf8")).toBe("my notes");
  saveSnapshot(target, snapshot);
  symlinkSync(target, link);
  saveSnapshot(link, createSandbox({ seed: 2 }).snapshot());
  expect([readSnapshot(link).seed, readSnapshot(target).seed]).toEqual([2, 1]);
});

test("a missing file, or one that is not a snapshot, is rejected", () => {
  expect(() => readSnapshot(join(folder, "missing"))).toThrow("cannot be read (ENOENT)");
  expect(() => saveSnapshot(join(folder, "missing", "file"), createSandbox().snapshot())).toThrow(
    "ENOENT",
  );
  const file = join(folder, "other.json");
  for (const text of ["{}", "no JSON", "[]"]) {
    writeFileSync(file, text);
    expect(() => readSnapshot(file)).toThrow(`${file} is not a snapshot of a sandbox.`);
  }
});

test("a name that is no string, or that Node would change, is rejected before anything is written", () => {
  const before = readdirSync(folder);
  const snapshot = createSandbox().snapshot();
  for (const name of ["\uD800", "fleet-\uDC00.json", "\uFFFD"]) {
    const file = join(folder, name);
    expect(() => saveSnapshot(file, snapshot)).toThrow("valid Unicode");
    expect(() => readSnapshot(file)).toThrow("valid Unicode");
  }
  for (const name of [undefined, 3, Buffer.from(join(folder, "bytes")), "", " "])
    expect(() => saveSnapshot(name as never, snapshot)).toThrow("requires the name of a file");
  expect(readdirSync(folder)).toEqual(before);
});

test("a value without JSON is not written as the word undefined", () => {
  const before = readdirSync(folder);
  const { format } = createSandbox().snapshot();
  const file = join(folder, "nothing.json");
  for (const value of [undefined, { format, toJSON: () => undefined }])
    expect(() => saveSnapshot(file, value as never)).toThrow("saveSnapshot requires a snapshot");
  expect(readdirSync(folder)).toEqual(before);
});
