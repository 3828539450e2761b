import { expect, test, vi } from "vitest";
import { CommandError, UsageError } from "./command-error.ts";

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
