import { chmodSync } from "node:fs";
import { join } from "node:path";
import { beforeEach, expect, onTestFinished, test } from "vitest";
import { UsageError } from "../command-error.ts";
import { checkFolderOf } from "./catch-up-place.ts";
import { temporaryFolder } from "../../../../../tools/testing/temporary-folder.ts";
let folder: string;
let file: string;
beforeEach(() => {
  folder = temporaryFolder(onTestFinished);
  file = join(folder, "place.json");
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
