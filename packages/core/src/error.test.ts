import { inspect } from "node:util";
import { expect, test, vi } from "vitest";
import { FieldmeshError, isFieldmeshError } from "./error.ts";

class SomeError extends FieldmeshError {
  readonly fact = 7;
  static {
    this.prototype.name = "SomeError";
  }
}

test("is told by its brand, and by its name", () => {
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

test("is told across two copies of this package", async () => {
  vi.resetModules();
  const other = await import("./error.ts");
  expect(other.FieldmeshError).not.toBe(FieldmeshError);
  expect(isFieldmeshError(new other.FieldmeshError("x"))).toBe(true);
});

test("prints its name once, and its facts", () => {
  const text = inspect(new SomeError("it broke"));
  expect(text).toMatch(/^SomeError: it broke\n/);
  expect(text).toContain("fact: 7");
  expect(text).not.toContain("name:");
});

test("goes into a structured log with name, message and facts", () => {
  expect(JSON.parse(JSON.stringify(new SomeError("it broke")))).toEqual({
    name: "SomeError",
    message: "it broke",
    fact: 7,
  });
});
