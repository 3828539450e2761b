import { chmodSync } from "node:fs";
import { expect, test } from "vitest";
import { readFirstLine, readUserFile, writePrivateFile } from "../src/files/user-file.ts";
import { testContext } from "./context.ts";
import { errorOf, folder } from "./fleet/fleet-context.ts";

test.for<[string, string, string]>([
  ["no/such.age", "its folder does not exist", "it does not exist"],
  ["file/fleet.age", "a part of its path is not a folder", "a part of its path is not a folder"],
])(
  "a write to %s and a read of it are rejected with the reason and exit code 2",
  async ([name, write, read]) => {
    const files = folder();
    files.write("file", "");
    const path = files.at(name);
    expect(await errorOf((async () => writePrivateFile(path, "x"))())).toMatchObject({
      message: `The file could not be written: ${write}.`,
      exitCode: 2,
    });
    expect(await errorOf(readUserFile(path))).toMatchObject({
      message: `The file could not be read: ${read}.`,
      exitCode: 2,
    });
  },
);

test.runIf(process.platform !== "win32")(
  "warns about a file with a secret that other users can open",
  async () => {
    const files = folder();
    const path = files.write("secret.txt", "correct horse\n");
    for (const [mode, warnings] of [
      [0o600, 0],
      [0o640, 1],
      [0o604, 1],
    ] as const) {
      chmodSync(path, mode);
      const here = testContext();
      expect(await readFirstLine(here, path, "the passphrase")).toBe("correct horse");
      expect(here.stderr).toEqual(
        [`Warning: other users can open ${path}, which holds a secret. Run chmod 600 on it.`].slice(
          1 - warnings,
        ),
      );
    }
  },
);
