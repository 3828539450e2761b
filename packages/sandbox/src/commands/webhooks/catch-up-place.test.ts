import { chmodSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { withChecksum } from "@fieldmesh/core";
import type { CatchUpCheckpoint } from "@fieldmesh/mobile-client";
import { afterEach, beforeEach, expect, test } from "vitest";
import { CommandError, UsageError } from "../command-error.ts";
import { checkFolderOf, placeFile } from "./catch-up-place.ts";

const PLACE = { server: "http://mobile.test", open: [{ id: "evt_1" }] };
const place = PLACE as unknown as CatchUpCheckpoint;
const receiver = new URL("http://127.0.0.1:3000/hooks?token=canary");
const since = new Date("2026-11-20T08:30:00Z");
let folder: string;
let file: string;
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), "fieldmesh-place-"));
  file = join(folder, "place.json");
});
afterEach(() => rmSync(folder, { recursive: true }));

const own = (to = receiver, from = since) => placeFile(file, to, from);

test("what was written is read again, from the same time or a later one", async () => {
  expect(await own().read()).toBeUndefined();
  own().write(place);
  expect(await own().read()).toEqual(PLACE);
  expect(await own(receiver, new Date(since.getTime() + 1)).read()).toEqual(PLACE);
});

test("the file is one line of JSON with its version and time, and without the address", () => {
  own().write(place);
  const text = readFileSync(file, "utf8");
  expect(text).toMatch(/^\{.*\}\n$/);
  expect(text).not.toMatch(/canary|127\.0\.0\.1/);
  const { checksum, receiver: owner, ...content } = JSON.parse(text) as Record<string, string>;
  expect(content).toEqual({ version: 1, since: "2026-11-20T08:30:00.000Z", place: PLACE });
  expect(owner).toMatch(/^[0-9a-z]+$/);
  expect(checksum).toEqual(expect.any(String));
});

test("each problem of a file has a message of its own that says what to do", async () => {
  const damaged = `${file} is damaged, or is not a checkpoint of catch-up, so it is left as it is. Choose another name, or delete it.`;
  own().write(place);
  const good = readFileSync(file, "utf8");
  const { checksum: _, ...content } = JSON.parse(good) as Record<string, unknown>;
  const change = (more: object) => JSON.stringify(withChecksum({ ...content, ...more }));
  const cases: [string, string][] = [
    ["", damaged],
    ["{", damaged],
    ["null", damaged],
    ["{}", damaged],
    [JSON.stringify(content), damaged],
    [change({ version: 2 }), damaged],
    [change({ receiver: 1 }), damaged],
    [change({ since: 1 }), damaged],
    [change({ place: [] }), damaged],
    [change({ place: null }), damaged],
    [change({ more: 1 }), damaged],
    [
      good.replace("evt_1", "evt_2"),
      `${file} was changed since it was written. Delete it and run the same command again: it then sends everything since --since.`,
    ],
  ];
  for (const [text, message] of cases) {
    writeFileSync(file, text);
    await expect(own().read()).rejects.toThrow(new UsageError(message));
    expect(readFileSync(file, "utf8")).toBe(text);
  }
});

test("a file belongs to one receiver, with its query, and to the events since its time", async () => {
  own().write(place);
  for (const other of ["http://127.0.0.1:3000/hooks", "http://127.0.0.1:3001/hooks?token=canary"])
    await expect(own(new URL(other)).read()).rejects.toThrow(
      new UsageError(
        `${file} belongs to another receiver. Choose another --checkpoint for each --to.`,
      ),
    );
  await expect(own(receiver, new Date(since.getTime() - 1)).read()).rejects.toThrow(
    new UsageError(
      `${file} continues from 2026-11-20T08:30:00.000Z, and nothing before was sent. To send what is older too, delete it and run the same command again.`,
    ),
  );
});

test("a folder instead of a file is rejected", async () => {
  mkdirSync(file);
  await expect(own().read()).rejects.toThrow(
    new UsageError(`${file} cannot be read (EISDIR): --checkpoint needs the name of a file.`),
  );
});

test("a file that cannot be written is an error that is worth another run", () => {
  const missing = join(folder, "missing", "place.json");
  const writing = () => placeFile(missing, receiver, since).write(place);
  expect(writing).toThrow(
    new CommandError(
      `${missing} cannot be written (ENOENT). The events were sent. Free some space or change the mode of the folder, and run the same command again.`,
    ),
  );
  expect(writing).not.toThrow(UsageError);
});

test("the folder of a file must exist, and be writable", async () => {
  await checkFolderOf(file);
  const missing = join(folder, "missing", "place.json");
  await expect(checkFolderOf(missing)).rejects.toThrow(
    new UsageError(
      `${missing} cannot be written (ENOENT): --checkpoint needs a file in a folder that exists and that you can write to.`,
    ),
  );
});

test.skipIf(process.platform === "win32" || process.getuid?.() === 0)(
  "a folder that this user can only read is rejected",
  async () => {
    chmodSync(folder, 0o500);
    await expect(checkFolderOf(file)).rejects.toThrow(`${file} cannot be written (EACCES): `);
    chmodSync(folder, 0o700);
  },
);
