import { chmodSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { afterAll, beforeAll, expect, onTestFinished, test } from "vitest";
import { isSharedFile, sharedFileWarning } from "./is-shared-file.ts";
import { temporaryFolder } from "../../../../tools/testing/temporary-folder.ts";

let folder: string;
let file: string;
beforeAll(() => {
  folder = temporaryFolder(afterAll);
  file = join(folder, "secret.txt");
  writeFileSync(file, "");
});

test.each([
  [0o600, false],
  [0o700, false],
  [0o400, false],
  [0o610, true],
  [0o620, true],
  [0o640, true],
  [0o601, true],
  [0o602, true],
  [0o604, true],
])("for a file with mode %o, it is %s that other users can open it", async (mode, isShared) => {
  chmodSync(file, mode);
  expect(await isSharedFile(file)).toBe(isShared);
  expect(await sharedFileWarning(file)).toBe(
    isShared
      ? `Warning: other users can open ${file}, which holds a secret. Run chmod 600 on it.`
      : undefined,
  );
});

test("a missing file, and what is not a file on the disk, is not shared", async () => {
  chmodSync(folder, 0o777);
  for (const each of [join(folder, "missing"), folder, "/dev/null"])
    expect([each, await isSharedFile(each)]).toEqual([each, false]);
});

test("on Windows, no file is reported as shared", async () => {
  const { platform } = process;
  onTestFinished(() => void Object.defineProperty(process, "platform", { value: platform }));
  chmodSync(file, 0o644);
  Object.defineProperty(process, "platform", { value: "win32" });
  expect(await isSharedFile(file)).toBe(false);
});
