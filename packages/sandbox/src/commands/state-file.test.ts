import { linkSync, mkdirSync, readdirSync, readFileSync, statSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { withChecksum } from "@fieldmesh/core/internal";
import { beforeEach, expect, onTestFinished, test } from "vitest";
import { CommandError, UsageError } from "./command-error.ts";
import { stateFile } from "./state-file.ts";
import { temporaryFolder } from "../../../../tools/testing/temporary-folder.ts";

let folder: string;
let file: string;
beforeEach(() => {
  folder = temporaryFolder(onTestFinished);
  file = join(folder, "state.json");
});

const open = (kind = "an import") => stateFile<{ readonly page: number }>(file, { kind });

test("what was written is read again, from a whole file of one line that only this user can read", async () => {
  expect([open().exists(), await open().read()]).toEqual([false, undefined]);
  await open().write({ page: 1 });
  linkSync(file, join(folder, "before"));
  await open().write({ page: 2 });
  expect([open().exists(), await open().read()]).toEqual([true, { page: 2 }]);
  const text = readFileSync(file, "utf8");
  expect(text).toMatch(/^\{.*\}\n$/);
  expect(JSON.parse(text)).toMatchObject({ version: 1, kind: "an import", state: { page: 2 } });
  expect(statSync(file).mode & 0o777).toBe(0o600);
  // A new file has taken the name.
  expect(readFileSync(join(folder, "before"), "utf8")).toContain('"page":1');
  open().remove();
  open().remove();
  expect(readdirSync(folder)).toEqual(["before"]);
});

test("each problem of a file has a message that says what to do, and the file stays", async () => {
  await open().write({ page: 1 });
  const good = readFileSync(file, "utf8");
  const fields = { version: 1, kind: "an import", state: { page: 1 } };
  const damaged = `${file} is damaged, or is not the state of an import. Delete it, and run the command again.`;
  const changed = `${file} was changed since it was written. Delete it, and run the command again.`;
  for (const [text, message] of [
    ["", damaged],
    ["{", damaged],
    ["null", damaged],
    ["[]", damaged],
    ["{}", damaged],
    [good.slice(0, -9), damaged],
    [JSON.stringify(withChecksum({ ...fields, version: 2 })), damaged],
    [JSON.stringify(withChecksum({ ...fields, kind: "another" })), damaged],
    [JSON.stringify(fields), changed],
    [good.replace('"page":1', '"page":2'), changed],
  ] as const) {
    writeFileSync(file, text);
    await expect(open().read()).rejects.toThrow(new UsageError(message));
    expect(readFileSync(file, "utf8")).toBe(text);
  }
});

test("a folder instead of a file, and a folder that does not exist, are errors", async () => {
  mkdirSync(file);
  await expect(open().read()).rejects.toThrow(
    new UsageError(`${file} cannot be read (EISDIR): it has to be a file of your user.`),
  );
  const missing = join(folder, "missing", "state.json");
  const writing = stateFile(missing, { kind: "an import" }).write({});
  await expect(writing).rejects.toThrow(
    new CommandError(
      `${missing} cannot be written (ENOENT). Free some space or change the mode of the folder, and run the same command again.`,
    ),
  );
});

test("an option that does not exist, or no kind, is an error", () => {
  expect(() => stateFile(file, { kind: "an import", adice: "No." } as never)).toThrow(
    new TypeError('stateFile has no option "adice". Did you mean "advice"?'),
  );
  expect(() => stateFile(file, {} as never)).toThrow(
    new TypeError("kind must be a non-empty string; it is undefined."),
  );
  expect(() => stateFile(file, { kind: "an import", lock: {} } as never)).toThrow(
    new TypeError("lock must be the lock that withLock passes to your function; it is an object."),
  );
});
