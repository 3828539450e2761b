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

test("no other value is a CommandError", () => {
  const { proxy, revoke } = Proxy.revocable({}, {});
  revoke();
  for (const value of [proxy, null, "text", new Error("it broke"), { name: "CommandError" }])
    expect(value instanceof CommandError).toBe(false);
});
