import { inspect } from "node:util";
import { expect, test, vi } from "vitest";
import { FieldmeshError, isFieldmeshError } from "./error.ts";

class SomeError extends FieldmeshError {
  readonly fact = 7;
  static {
    this.prototype.name = "SomeError";
  }
}

test("is recognized by its brand and by its name", () => {
  const error = new SomeError("it broke");
  expect(isFieldmeshError(error)).toBe(true);
  expect(isFieldmeshError(error, "SomeError")).toBe(true);
  expect(isFieldmeshError(error, "OtherError")).toBe(false);
  for (const value of [
    null,
    undefined,
    "SomeError",
    new Error("it broke"),
    { name: "SomeError" },
  ]) {
    expect(isFieldmeshError(value)).toBe(false);
  }
});

test("is recognized across two copies of this package", async () => {
  vi.resetModules();
  const other = await import("./error.ts");
  expect(other.FieldmeshError).not.toBe(FieldmeshError);
  expect(isFieldmeshError(new other.FieldmeshError("x"))).toBe(true);
});

test("instanceof works across two copies, for the class of an error and its base classes", async () => {
  vi.resetModules();
  const other = await import("./error.ts");
  class OtherCopy extends other.FieldmeshError {
    static {
      this.prototype.name = "SomeError";
    }
  }
  const error = new OtherCopy("it broke");
  expect(error instanceof SomeError).toBe(true);
  expect(error instanceof FieldmeshError).toBe(true);
  expect(new SomeError("it broke") instanceof OtherCopy).toBe(true);
  expect(new other.FieldmeshError("it broke") instanceof SomeError).toBe(false);
  for (const value of [null, "SomeError", new Error("it broke"), { name: "SomeError" }])
    expect((value as unknown) instanceof SomeError).toBe(false);
});

test("a subclass without its own name matches only its own instances", () => {
  class Unnamed extends SomeError {}
  expect(new Unnamed("it broke") instanceof Unnamed).toBe(true);
  expect(new Unnamed("it broke") instanceof SomeError).toBe(true);
  expect(new SomeError("it broke") instanceof Unnamed).toBe(false);
});

test("prints its name once, and its fields", () => {
  const text = inspect(new SomeError("it broke"));
  expect(text).toMatch(/^SomeError: it broke\n/);
  expect(text).toContain("fact: 7");
  expect(text).not.toContain("name:");
});

test("is serialized to a structured log with its name, message and fields", () => {
  expect(JSON.parse(JSON.stringify(new SomeError("it broke")))).toEqual({
    name: "SomeError",
    message: "it broke",
    fact: 7,
  });
});

test("an unreadable value is not recognized as an error of fieldmesh", () => {
  const { proxy, revoke } = Proxy.revocable({}, {});
  revoke();
  for (const value of [proxy, null, undefined, "text", 5, {}]) {
    expect(isFieldmeshError(value)).toBe(false);
    expect(isFieldmeshError(value, "FieldmeshError")).toBe(false);
  }
});
