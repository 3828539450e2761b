import { FieldmeshError } from "@fieldmesh/core";
import { PassThrough } from "node:stream";
import { afterEach, expect, test, vi } from "vitest";
import { CommandError } from "./command-error.ts";
import { main } from "./main.ts";
import { helpOf } from "./program/help.ts";
import { webhookCommands } from "./specs.ts";
import type { RunCommand } from "./command.ts";

// How a command line ends. `main.test.ts` runs whole commands.

afterEach(() => void vi.restoreAllMocks());

async function runMain(
  args: readonly string[],
  {
    columns,
    signal = new AbortController().signal,
  }: { columns?: number | undefined; signal?: AbortSignal } = {},
) {
  const [stdout, stderr] = [
    Object.assign(new PassThrough({ encoding: "utf8" }), columns && { columns }),
    new PassThrough({ encoding: "utf8" }),
  ];
  const code = await main(args, { stdout, stderr, env: {} }, signal);
  return { code, stdout: stdout.read() as string | null, stderr: stderr.read() as string | null };
}

/** Replaces what the command `events` runs. */
function replaceEvents(run: RunCommand): void {
  const events = webhookCommands.find(({ name }) => name === "events");
  vi.spyOn(events!, "load").mockResolvedValue({ run });
}

test("help is as wide as the terminal", async () => {
  for (const columns of [60, 90, undefined])
    expect(await runMain(["help", "listen"], { columns })).toEqual({
      code: 0,
      stdout: helpOf(
        webhookCommands.find(({ name }) => name === "listen"),
        columns,
      ),
      stderr: null,
    });
});

test("a command receives its arguments, its options and how to print", async () => {
  replaceEvents(async ({ output, program, env }, input) => {
    await output.record({ program, env, input, isJson: output.isJson });
    output.note("a note");
  });
  expect(await runMain(["events", "--types", "--json", "--quiet"])).toEqual({
    code: 0,
    stdout:
      '{"program":"fieldmesh-sandbox","env":{},"input":{"arguments":[],"options":{"types":true}},"isJson":true}\n',
    stderr: null,
  });
});

test.each([1, 2] as const)("an error for the user with exit code %i is one line", async (code) => {
  replaceEvents(() => Promise.reject(new CommandError("It is broken.", code)));
  expect(await runMain(["events"])).toEqual({
    code,
    stdout: null,
    stderr: "fieldmesh-sandbox: It is broken.\n",
  });
});

test("an error whose cause has a page in the documentation names its address", async () => {
  const cause = new FieldmeshError("It failed.");
  replaceEvents(() => Promise.reject(new CommandError("It is broken.", 1, { cause })));
  expect((await runMain(["events"])).stderr).toBe(
    `fieldmesh-sandbox: It is broken.\nSee ${cause.docs}\n`,
  );
  replaceEvents(() =>
    Promise.reject(new CommandError("It is broken.", 1, { cause: new Error("a detail") })),
  );
  expect((await runMain(["events"])).stderr).toBe("fieldmesh-sandbox: It is broken.\n");
});

test("any other error is a bug: one line without a stack, and exit code 1", async () => {
  const cause = new FieldmeshError("It failed.");
  replaceEvents(() => Promise.reject(new TypeError("a bug", { cause })));
  expect(await runMain(["events"])).toEqual({
    code: 1,
    stdout: null,
    stderr: "fieldmesh-sandbox: Unexpected: TypeError: a bug\n",
  });
});

test("an error after Ctrl-C is the end of the work in progress, and no failure", async () => {
  const ended = new AbortController();
  replaceEvents(async ({ signal }) => {
    ended.abort();
    signal.throwIfAborted();
  });
  expect(await runMain(["events"], { signal: ended.signal })).toEqual({
    code: 0,
    stdout: null,
    stderr: null,
  });
});
