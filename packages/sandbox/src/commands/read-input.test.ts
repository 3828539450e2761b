import { chmodSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { afterAll, beforeAll, expect, test, onTestFinished } from "vitest";
import { type CommandInput } from "./command.ts";
import { UsageError } from "./command-error.ts";
import {
  readInputFile,
  readInteger,
  readLocalUrl,
  readPort,
  readReceiverUrl,
  readSecret,
  readSecretIfGiven,
} from "./read-input.ts";
import { shownUrl } from "../engine/webhooks/shown-url.ts";
import { testContext } from "./testing/context.ts";
import { temporaryFolder } from "../../../../tools/testing/temporary-folder.ts";
import { isSharedFile, sharedFileWarning } from "./is-shared-file.ts";

let folder: string;
beforeAll(() => {
  folder = temporaryFolder(afterAll);
});

const given = (options: CommandInput["options"] = {}): CommandInput => ({ arguments: [], options });

/** Writes a file that only this user can open. */
function write(name: string, text: string, mode = 0o600): string {
  const file = join(folder, name);
  writeFileSync(file, text);
  chmodSync(file, mode);
  return file;
}

test.each([
  ["0", 0],
  ["10", 10],
  ["007", 7],
])("%j is a whole number from 0 to 10", (text, value) => {
  expect(readInteger("size", text, 10)).toBe(value);
});

test.each(["11", "", " 1", "1 ", "-1", "+1", "1.0", "0x1", "1e0", "many"])(
  "%j is not a whole number from 0 to 10",
  (text) => {
    expect(() => readInteger("size", text, 10)).toThrow(
      new UsageError(`--size needs a whole number from 0 to 10.`),
    );
  },
);

test("--port is any free port if it is missing, and at most the last port", () => {
  expect(readPort(given())).toBe(0);
  expect(readPort(given({ port: "65535" }))).toBe(65_535);
  expect(() => readPort(given({ port: "65536" }))).toThrow(
    new UsageError("--port needs a whole number from 0 to 65535."),
  );
});

const NO_ADDRESS = "--to needs an address such as http://127.0.0.1:3000/hooks.";
const WITH_USER = "--to needs an address without a user name or password.";
const NOT_HERE = "--to needs an address of this machine: 127.0.0.1 or localhost.";
const NOT_SAFE =
  "--to needs an address of this machine or one with https, because real events contain personal data.";

test.each([
  ["http://127.0.0.1:3000/hooks", undefined, undefined],
  ["https://localhost/", undefined, undefined],
  ["http://[::1]:1/", undefined, undefined],
  ["https://hooks.example.com/", NOT_HERE, undefined],
  ["http://hooks.example.com/", NOT_HERE, NOT_SAFE],
  [undefined, NO_ADDRESS, NO_ADDRESS],
  ["", NO_ADDRESS, NO_ADDRESS],
  ["127.0.0.1:3000", NO_ADDRESS, NO_ADDRESS],
  ["http://", NO_ADDRESS, NO_ADDRESS],
  ["ftp://127.0.0.1/", NO_ADDRESS, NO_ADDRESS],
  ["x-http://127.0.0.1/", NO_ADDRESS, NO_ADDRESS],
  ["httpx://127.0.0.1/", NO_ADDRESS, NO_ADDRESS],
  ["http://user@127.0.0.1/", WITH_USER, WITH_USER],
  ["http://:word@127.0.0.1/", WITH_USER, WITH_USER],
])(
  "the receiver %j of test events fails with %j, and of real events with %j",
  (text, ...errors) => {
    for (const [at, read] of [readLocalUrl, readReceiverUrl].entries()) {
      const message = errors[at];
      if (message !== undefined) expect(() => read("to", text)).toThrow(new UsageError(message));
      else expect(read("to", text)).toEqual(new URL(text ?? ""));
    }
  },
);

test("a printed address has no query and no fragment, which may hold a token", () => {
  expect(shownUrl(new URL("http://127.0.0.1:3000/hooks?token=canary#canary"))).toBe(
    "http://127.0.0.1:3000/hooks",
  );
});

test("a secret is taken from the command line, then a file, the environment, and the terminal", async () => {
  const [one, two, three, four] = ["one", "two", "three", "four"].map(
    (each) => `whsec_${each}`,
  ) as [string, string, string, string];
  const secretFile = write("secret.txt", two);
  const context = testContext({ env: { FIELDMESH_WEBHOOK_SECRET: three }, reply: four });
  const read = async (options: CommandInput["options"], from = context) =>
    (await readSecret(from, given(options))).reveal();
  expect(await read({ secret: one, secretFile })).toBe(one);
  expect(await read({ secretFile })).toBe(two);
  expect(await read({})).toBe(three);
  expect(await read({}, testContext({ reply: four }))).toBe(four);
  expect(await read({}, testContext({ env: { FIELDMESH_WEBHOOK_SECRET: "" }, reply: four }))).toBe(
    four,
  );
  expect(context.notes).toEqual([]);
});

test("without a secret, a command asks for it and says what to set instead, or has none", async () => {
  const asked: string[] = [];
  const context = {
    ...testContext(),
    prompt: {
      secret: async (...questions: string[]) => {
        asked.push(...questions);
        return "whsec_mine";
      },
    },
  };
  expect(await readSecretIfGiven(context, given())).toBeUndefined();
  expect(asked).toEqual([]);
  await readSecret(context, given());
  expect(asked).toEqual(["Signing secret", "set FIELDMESH_WEBHOOK_SECRET, or use --secret-file"]);
});

test.each([
  ["s\n", "s"],
  ["s\r\n", "s"],
  ["s\n\n", "s\n"],
  ["a\nb", "a\nb"],
])(
  "of the file %j, the secret is %j: one line break at its end is not part of it",
  async (text, secret) => {
    const secretFile = write("lines.txt", text);
    expect((await readSecretIfGiven(testContext(), given({ secretFile })))?.reveal()).toBe(secret);
  },
);

test("a file that other users can open is used with a warning", async () => {
  const secretFile = write("shared.txt", "whsec_mine", 0o640);
  const context = testContext();
  expect((await readSecretIfGiven(context, given({ secretFile })))?.reveal()).toBe("whsec_mine");
  expect(context.notes).toEqual([
    `Warning: other users can open ${secretFile}, which holds a secret. Run chmod 600 on it.`,
  ]);
});

test("a secret that is a mistake is rejected with the place where it is", async () => {
  const secretFile = write("empty.txt", "\n");
  const env = { FIELDMESH_WEBHOOK_SECRET: "undefined" };
  const cases = [
    [testContext(), { secret: "" }, "--secret is empty"],
    [testContext(), { secretFile }, `The secret in ${secretFile} is empty`],
    [testContext({ env }), {}, "FIELDMESH_WEBHOOK_SECRET is the word undefined"],
    [testContext({ reply: "" }), {}, "The signing secret is empty"],
  ] as const;
  for (const [context, options, start] of cases) {
    const reading = readSecret(context, given(options));
    await expect(reading).rejects.toBeInstanceOf(UsageError);
    await expect(reading).rejects.toThrow(start);
  }
});

test("a file is read byte for byte, and one that is missing or a folder is named", async () => {
  const { signal } = testContext();
  const file = write("bytes.txt", "\uFEFFa\r\n");
  expect(await readInputFile("body", file, signal)).toEqual(Buffer.from("\uFEFFa\r\n"));
  const missing = join(folder, "missing.txt");
  await expect(readInputFile("body", missing, signal)).rejects.toThrow(
    new UsageError(`The file does not exist: --body needs the name of a file.`),
  );
  const secretFile = missing;
  await expect(readSecretIfGiven(testContext(), given({ secretFile }))).rejects.toThrow(
    new UsageError(`The file does not exist: --secret-file needs the name of a file.`),
  );
  await expect(readInputFile("body", folder, signal)).rejects.toThrow(
    new UsageError(`${folder} cannot be read: --body needs the name of a file.`),
  );
});

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
