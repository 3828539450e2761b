import { inspect } from "node:util";
import { expect, test, vi } from "vitest";
import { FieldmeshError, isFieldmeshError } from "./error.ts";

class SomeError extends FieldmeshError {
  readonly fact = 7;
  protected static override readonly errorName: string = "SomeError";
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

test("instanceof works across two copies, for the class of an error and its base classes", async () => {
  vi.resetModules();
  const other = await import("./error.ts");
  class OtherCopy extends other.FieldmeshError {
    protected static override readonly errorName: string = "SomeError";
  }
  const error = new OtherCopy("it broke");
  expect(error instanceof SomeError).toBe(true);
  expect(error instanceof FieldmeshError).toBe(true);
  expect(new SomeError("it broke") instanceof OtherCopy).toBe(true);
  expect(new other.FieldmeshError("it broke") instanceof SomeError).toBe(false);
  for (const value of [null, "SomeError", new Error("it broke"), { name: "SomeError" }])
    expect((value as unknown) instanceof SomeError).toBe(false);
});

test("a subclass in user code may set a name in each usual way", () => {
  class ByField extends SomeError {
    override readonly name = "OwnName";
  }
  class ByAssignment extends SomeError {
    constructor(message: string) {
      super(message);
      this.name = "OwnName";
    }
  }
  class OnPrototype extends SomeError {
    static {
      this.prototype.name = "OwnName";
    }
  }
  class Inherited extends OnPrototype {}
  for (const Class of [ByField, ByAssignment, OnPrototype, Inherited]) {
    const error = new Class("it broke");
    expect(String(error)).toBe("OwnName: it broke");
    expect(error).toBeInstanceOf(SomeError);
    expect(new SomeError("it broke")).not.toBeInstanceOf(Class);
  }
});

test("the stack begins with the name, from the first error of a class on", () => {
  class FirstError extends FieldmeshError {
    protected static override readonly errorName: string = "FirstError";
  }
  expect(new FirstError("it broke").stack).toMatch(/^FirstError: it broke\n/);
  expect(Object.keys(new FirstError("it broke"))).toEqual([]);
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
