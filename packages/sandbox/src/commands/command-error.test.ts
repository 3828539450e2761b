import { expect, test, vi } from "vitest";
import { CommandError, UsageError, listenFailure } from "./command-error.ts";

test("instanceof works across two copies of the package", async () => {
  vi.resetModules();
  const other = await import("./command-error.ts");
  expect(other.CommandError).not.toBe(CommandError);
  for (const error of [new other.CommandError("it broke"), new other.UsageError("wrong option")])
    expect(error).toBeInstanceOf(CommandError);
});

test("instanceof of a subclass matches only its own errors", () => {
  expect(new UsageError("wrong option")).toBeInstanceOf(UsageError);
  expect(new CommandError("it broke")).not.toBeInstanceOf(UsageError);
});

test("an error has its name, its message, its cause and an exit code, which is 1 by default", () => {
  const cause = new Error("the cause");
  const error = new CommandError("it broke", undefined, { cause });
  expect(error).toMatchObject({ name: "CommandError", message: "it broke", exitCode: 1, cause });
  expect(new CommandError("it broke", 2).exitCode).toBe(2);
  const usage = new UsageError("wrong option");
  expect(usage).toMatchObject({ name: "UsageError", message: "wrong option", exitCode: 2 });
  expect([String(error), String(usage)]).toEqual([
    "CommandError: it broke",
    "UsageError: wrong option",
  ]);
});

// The errors as node:net creates them. `main.test.ts` has a port in use; a test cannot cause all of them on every machine.
test.each([
  [
    { code: "EADDRINUSE", address: "127.0.0.1", port: 4010 },
    "Port 4010 is in use. Choose another one; --port 0 is any free one.",
  ],
  [
    { code: "EACCES", address: "127.0.0.1", port: 80 },
    "Port 80 needs special permission. Choose one from 1024 up.",
  ],
  [
    { code: "EADDRNOTAVAIL", address: "192.0.2.1", port: 0 },
    "192.0.2.1 is not an address of this machine. Choose another --host.",
  ],
  [{ code: "ENOTFOUND" }, "That is not an address of this machine. Choose another --host."],
])("%j is told as one sentence", (properties, sentence) => {
  const failure = listenFailure(Object.assign(new Error("listen"), properties));
  expect(failure).toEqual(new UsageError(sentence));
  expect(failure?.exitCode).toBe(2);
});

test("any other error is not one for the user", () => {
  for (const error of [new Error("a bug"), Object.assign(new Error("x"), { code: "EMFILE" })])
    expect(listenFailure(error)).toBeUndefined();
});
