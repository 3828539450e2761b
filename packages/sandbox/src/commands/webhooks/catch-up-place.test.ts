import { chmodSync, readFileSync } from "node:fs";
import { join } from "node:path";
import type { CatchUpCheckpoint } from "@fieldmesh/mobile-client";
import { beforeEach, expect, onTestFinished, test } from "vitest";
import { UsageError } from "../command-error.ts";
import { replaceFile } from "../../server/replace-file.ts";
import type { Lock } from "../with-lock.ts";
import { checkFolderOf, placeFile } from "./catch-up-place.ts";
import { temporaryFolder } from "../../../../../tools/testing/temporary-folder.ts";

const PLACE = { server: "http://mobile.test", open: [{ id: "evt_1" }] };
const place = PLACE as unknown as CatchUpCheckpoint;
const receiver = new URL("http://127.0.0.1:3000/hooks?token=canary");
const since = new Date("2026-11-20T08:30:00Z");
let folder: string;
let file: string;
beforeEach(() => {
  folder = temporaryFolder(onTestFinished);
  file = join(folder, "place.json");
});

const own = (to = receiver, from = since) => placeFile(file, to, from, lock);
/** As if this process held it. */
const lock: Lock = {
  signal: new AbortController().signal,
  check: () => undefined,
  replace: replaceFile,
};

test("what was written is read again, from the same time or a later one", async () => {
  expect(await own().read()).toBeUndefined();
  await own().write(place);
  expect(await own().read()).toEqual(PLACE);
  const later = own(receiver, new Date(since.getTime() + 1));
  expect(await later.read()).toEqual(PLACE);
  await later.write(place);
  expect(await own().read()).toEqual(PLACE);
});

test("the file has the time, and not the address", async () => {
  await own().write(place);
  const text = readFileSync(file, "utf8");
  expect(text).not.toMatch(/canary|127\.0\.0\.1/);
  expect(text).toContain('"since":"2026-11-20T08:30:00.000Z"');
});

test("a file belongs to one receiver, with its query, and to the events since its time", async () => {
  await own().write(place);
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

test("the folder of a file must exist, and be writable", async () => {
  await checkFolderOf(file);
  const missing = join(folder, "missing", "place.json");
  await expect(checkFolderOf(missing)).rejects.toThrow(
    new UsageError(
      `The file cannot be written (ENOENT): --checkpoint needs a file in a folder that exists and that you can write to.`,
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
