import type { EventEmitter } from "node:events";
import { afterEach, beforeEach, expect, onTestFinished, test, vi } from "vitest";
import { temporaryFolder } from "../../../../tools/testing/temporary-folder.ts";

// The program in this process, whose streams and end are replaced. `cli.slow.test.ts` runs it in a process of its own.

// Loaded here for the first time, so that no test takes the time that this needs.
await import("./main.ts");
await import("./start/start.ts");

const { argv } = process;
let folder: string;
let printed = "";
beforeEach(() => {
  folder = temporaryFolder(onTestFinished);
  vi.stubEnv("XDG_RUNTIME_DIR", folder);
  vi.stubEnv("NO_COLOR", "1");
  printed = "";
  for (const stream of [process.stdout, process.stderr])
    vi.spyOn(stream, "write").mockImplementation((text) => {
      printed += String(text);
      return true;
    });
});
afterEach(() => {
  vi.restoreAllMocks();
  vi.unstubAllEnvs();
  process.argv = argv;
  process.exitCode = undefined;
});

/** Runs the program. What it listens to is called by name, and its own `exit` does not end this process. */
async function runProgram(...args: readonly string[]) {
  vi.resetModules();
  process.argv = ["node", "fieldmesh-sandbox", ...args];
  const signals = new Map<string | symbol, () => void>();
  vi.spyOn(process, "once").mockImplementation((name, listener) => {
    signals.set(name, listener as () => void);
    return process;
  });
  const errors: ((error: Error) => void)[] = [];
  const streams: EventEmitter[] = [process.stdout, process.stderr];
  for (const stream of streams)
    vi.spyOn(stream, "on").mockImplementation((name, listener) => {
      if (name === "error") errors.push(listener);
      return stream;
    });
  const exit = vi.spyOn(process, "exit").mockImplementation(() => undefined as never);
  const done = import("./cli.ts");
  return { signals, errors, exit, done };
}

/** Starts a sandbox, and waits until it has printed how to use it. */
async function startProgram() {
  const program = await runProgram("--port", "0");
  await vi.waitFor(() => expect(printed).toContain("Press Ctrl-C"), { timeout: 20_000 });
  return program;
}

const pipeError = (code: string) => Object.assign(new Error("write"), { code });

test("the exit code of a failure is that of the program", async () => {
  const { done, exit } = await runProgram("planets");
  await done;
  expect(printed).toBe("fieldmesh-sandbox: There is no such command; see --help.\n");
  expect(process.exitCode).toBe(2);
  expect(exit).not.toHaveBeenCalled();
});

test.each(["SIGINT", "SIGTERM"])("%s ends a sandbox, and then the process", async (signal) => {
  const { signals, done, exit } = await startProgram();
  expect([...signals.keys()]).toEqual(expect.arrayContaining(["SIGINT", "SIGTERM"]));
  signals.get(signal)?.();
  await done;
  expect(exit).toHaveBeenCalledExactlyOnceWith();
  expect(process.exitCode).toBeUndefined();
});

test.each([
  ["stdout", 0],
  ["stderr", 1],
])("the program ends if the reader of its %s has ended", async (_, at) => {
  const { errors, done, exit } = await startProgram();
  errors[at]?.(pipeError("EPIPE"));
  await done;
  expect(exit).toHaveBeenCalledExactlyOnceWith();
});

test("another error of a stream is thrown, and the program continues", async () => {
  const { signals, errors, done, exit } = await startProgram();
  const error = pipeError("ENOSPC");
  expect(() => errors[0]?.(error)).toThrow(error);
  expect(exit).not.toHaveBeenCalled();
  signals.get("SIGINT")?.();
  await done;
});
