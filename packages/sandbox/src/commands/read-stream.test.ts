import { execFileSync } from "node:child_process";
import { createWriteStream, writeFileSync } from "node:fs";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { camelCase, type CommandInput, type SandboxCommand } from "./command.ts";
import { sandboxCommand, webhookCommands } from "./specs.ts";
import { testContext } from "./testing/context.ts";
import { temporaryFolder } from "../../../../tools/testing/temporary-folder.ts";

let folder: string;
beforeAll(() => {
  folder = temporaryFolder(afterAll);
  writeFileSync(join(folder, "file.txt"), DELIVERY, { mode: 0o600 });
});

/** Headers, a body and a recording, in one. */
const DELIVERY = '{"event":{"id":"evt_1","type":"sim.activated"}}';
/** These files are written by the command itself. */
const OWN = new Set(["env", "save", "out", "checkpoint"]);
const ARGUMENTS: Readonly<Record<string, string>> = { type: "sim.activated", id: "evt_1" };
const VALUES: Readonly<Record<string, string>> = {
  to: "http://127.0.0.1:9/",
  webhook: "http://127.0.0.1:9/",
  "forward-to": "http://127.0.0.1:9/",
  port: "0",
  since: "2026-11-20",
};

/** Every option of a command that names a file to read. */
const cells = [sandboxCommand, ...webhookCommands].flatMap((command) =>
  (command.options ?? [])
    .filter(({ name, value }) => value === "file" && !OWN.has(name))
    .map((option): [string, string, SandboxCommand] => [command.name, option.name, command]),
);

/** The input of a command that reads a pipe first: all other options that it requires have a value. */
function inputOf(command: SandboxCommand, option: string, pipe: string): CommandInput {
  const options = (command.options ?? []).flatMap(({ name, value, required }) => {
    const file = value === "file" && (required || name === "from") ? "file.txt" : undefined;
    const text = VALUES[name] ?? (name === "secret" && option !== "secret-file" ? "whsec_x" : file);
    const given = name === option ? pipe : text === file && file ? join(folder, file) : text;
    return given === undefined ? [] : [[camelCase(name), given]];
  });
  return {
    arguments: (command.arguments ?? []).map(({ name }) => ARGUMENTS[name]),
    options: Object.fromEntries(options),
  };
}

describe.skipIf(process.platform === "win32")("a command that waits for a pipe", () => {
  test("is each that names a file to read", () => {
    const names = (option: string) => cells.filter((cell) => cell[1] === option).map(([of]) => of);
    const secret = [
      "sandbox",
      "listen",
      "send",
      "replay",
      "verify",
      "explain",
      "record",
      "catch-up",
    ];
    expect(names("secret-file")).toEqual(secret);
    expect([names("from"), names("headers")]).toEqual([
      ["sandbox", "replay"],
      ["verify", "explain"],
    ]);
    expect(names("body")).toEqual(names("headers"));
    expect(cells).toHaveLength(14);
  });

  test.each(cells)("%s --%s ends at a signal", async (name, option, command) => {
    const pipe = join(folder, `${name}-${option}`);
    execFileSync("mkfifo", [pipe]);
    const context = testContext();
    const { run } = await command.load();
    const ended = run(context, inputOf(command, option, pipe)).then(
      () => "ended",
      (error: Error) => (error.name === "AbortError" ? error.name : error.message),
    );
    setTimeout(context.interrupt, 100);
    const late = new Promise((resolve) => void setTimeout(resolve, 3_000, "still waits"));
    const how = await Promise.race([ended, late]);
    // Else a thread waits until the end of all tests.
    if (how === "still waits") createWriteStream(pipe).end("\n");
    expect(how).toBe("AbortError");
  });
});
