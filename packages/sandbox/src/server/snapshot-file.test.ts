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
import { basename, join } from "node:path";
import { afterAll, afterEach, beforeEach, expect, test } from "vitest";
import { createSandbox } from "../engine/sandbox/sandbox.ts";
import { replaceFile } from "./replace-file.ts";
import { checkSnapshotFile, readSnapshot, saveSnapshot } from "./snapshot-file.ts";

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

test("a place for a snapshot is a new file, or one that begins as a snapshot", () => {
  const file = join(folder, "place.json");
  expect(checkSnapshotFile(file)).toBeUndefined();
  const { format } = createSandbox().snapshot();
  writeFileSync(file, `{"format":"${format}","cut`);
  expect(checkSnapshotFile(file)).toBeUndefined();
  for (const text of ["", `{"format":"${format}`, `{"format":"${"x".repeat(format.length)}"}`]) {
    writeFileSync(file, text);
    expect(() => checkSnapshotFile(file)).toThrow(
      new TypeError(
        `${file} exists and is not a snapshot of a sandbox, so it is left as it is. Choose another name.`,
      ),
    );
  }
});

test("what cannot be read or written is named, with the code of the system and its error", () => {
  const missing = join(folder, "missing", "file.json");
  const snapshot = createSandbox().snapshot();
  const cases = [
    [() => readSnapshot(missing), `${missing} cannot be read (ENOENT). Choose another name.`],
    [() => readSnapshot(folder), `${folder} cannot be read (EISDIR). Choose another name.`],
    [() => checkSnapshotFile(folder), `${folder} cannot be read (EISDIR). Choose another name.`],
    [
      () => checkSnapshotFile(missing),
      `${missing} cannot be written (ENOENT). Choose another name.`,
    ],
    [
      () => saveSnapshot(missing, snapshot),
      `${missing} cannot be written (ENOENT). Choose another name.`,
    ],
  ] as const;
  for (const [work, message] of cases) {
    expect(work).toThrow(new TypeError(message));
    expect(work).toThrow(
      expect.objectContaining({ cause: expect.objectContaining({ code: expect.any(String) }) }),
    );
  }
});

test.each([
  [undefined, "undefined"],
  [3, "a number"],
  ["", "a string"],
  [" ", "a string"],
])("the name %j is rejected by both functions", (name, described) => {
  const snapshot = createSandbox().snapshot();
  for (const [owner, work] of [
    ["saveSnapshot", () => saveSnapshot(name as string, snapshot)],
    ["readSnapshot", () => readSnapshot(name as string)],
  ] as const)
    expect(work).toThrow(
      new TypeError(
        `${owner} requires the name of a file, such as "fleet.snapshot.json", not ${described}.`,
      ),
    );
});

test("a name that is not valid Unicode is rejected with the reason", () => {
  for (const name of ["a\uD800.json", "\uFFFD.json"])
    expect(() => readSnapshot(join(folder, name))).toThrow(
      new TypeError(
        "readSnapshot requires the name of a file that is valid Unicode; this one would become another name.",
      ),
    );
});

test("what is not a snapshot is not saved, with the reason", () => {
  const file = join(folder, "none.json");
  const { format } = createSandbox().snapshot();
  for (const value of [undefined, null, 1, {}, { format: "other" }])
    expect(() => saveSnapshot(file, value as never)).toThrow(
      new TypeError("saveSnapshot requires a snapshot: pass sandbox.snapshot()."),
    );
  expect(() => saveSnapshot(file, { format, toJSON: () => undefined } as never)).toThrow(
    new TypeError("saveSnapshot requires a snapshot that can be written as JSON."),
  );
});

let own: string;
let file: string;
beforeEach(() => {
  own = mkdtempSync(join(tmpdir(), "fieldmesh-replace-"));
  file = join(own, "a.json");
});
afterEach(() => rmSync(own, { recursive: true }));

test("a file that others could read is replaced by one that only this user can read", () => {
  writeFileSync(file, "old", { mode: 0o644 });
  replaceFile(file, "new");
  expect(readFileSync(file, "utf8")).toBe("new");
  expect(statSync(file).mode & 0o777).toBe(0o600);
  expect(readdirSync(own)).toEqual(["a.json"]);
});

test("nothing is left of a file that cannot be moved into place", () => {
  expect(() => replaceFile(own, "new")).toThrow("rename");
  expect(readdirSync(own)).toEqual([]);
  const beside = readdirSync(join(own, "..")).filter((name) =>
    name.startsWith(`.${basename(own)}-`),
  );
  expect(beside).toEqual([]);
  expect(() => replaceFile(join(own, "missing", "a"), "new")).toThrow(/^ENOENT.*, open /);
});
