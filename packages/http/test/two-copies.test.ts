import { expect, test, vi } from "vitest";
import * as ours from "../src/index.ts";

const { ApiError, CallError, isApiError } = ours;
vi.resetModules();
const other = await import("../src/index.ts");

type ErrorClass = new (...input: never[]) => Error;
const classesOf = (exports: object): [string, ErrorClass][] =>
  Object.entries(exports).filter(([name]) => /^[A-Z]\w+Error$/.test(name)) as never;
const others = new Map(classesOf(other));
const context = {
  call: "things.get",
  route: "GET /v1/things/:name",
  outcome: "rejected",
  attempts: [],
} as const;
const init = { status: 404, requestId: undefined, headers: {}, body: "" };

test.for(classesOf(ours))(
  "%s is the same class in another copy of the package",
  ([name, Class]) => {
    const Other = others.get(name)!;
    expect(Other).not.toBe(Class);
    // Without the arguments of each constructor.
    const error: unknown = Object.create(Other.prototype);
    // CheckpointError is of core, which knows no calls.
    const classes: readonly ErrorClass[] =
      name === "CheckpointError" ? [Class] : [Class, CallError];
    for (const [, Different] of classesOf(ours))
      expect(error instanceof Different).toBe(classes.includes(Different));
  },
);

test("an error of a client's own subclass matches the base classes of another copy", () => {
  class ServiceError extends other.ApiError {
    protected static override readonly errorName: string = "ServiceError";
  }
  class Unnamed extends ServiceError {}
  for (const Class of [ServiceError, Unnamed]) {
    const error = new Class(context, init);
    expect(error.name).toBe("ServiceError");
    expect(error).toBeInstanceOf(ApiError);
    expect(error).toBeInstanceOf(CallError);
    expect(error).not.toBeInstanceOf(ours.TimeoutError);
    expect(isApiError(error, 404)).toBe(true);
  }
});

test("every error has the name of its class", async () => {
  const all = Object.entries(await import("../src/index.ts"));
  for (const [name, value] of all.filter(([each]) => /^[A-Z]\w*Error$/.test(each)))
    expect(Reflect.get(Object(value) as object, "errorName")).toBe(name);
});
