import { afterEach, expect, test } from "vitest";
import { FieldmeshError } from "@fieldmesh/core";
import { keepPlace } from "./caller-place.ts";

const own = Object.getOwnPropertyDescriptors(Error);
afterEach(() => void Object.defineProperties(Error, own));

function begin() {
  return keepPlace(begin);
}
function theCaller() {
  return begin();
}
/** Returns the stack of an error after the place of `theCaller` was added to it. */
function stackWith(error: Error, times = 1): unknown {
  for (const withPlace of Array.from({ length: times }, theCaller))
    expect(withPlace(error)).toBe(error);
  return error.stack;
}
const plain = (stack?: unknown): Error =>
  Object.assign(new FieldmeshError("failed"), { stack: stack ?? "FieldmeshError: failed" });

test("adds nothing but frames, each once, and not those of the method itself", () => {
  const [first, ...frames] = String(stackWith(plain(), 2)).split("\n");
  expect(first).toBe("FieldmeshError: failed");
  expect(frames.every((frame) => /^ +at /.test(frame))).toBe(true);
  expect(frames.filter((frame) => frame.includes("theCaller"))).toHaveLength(1);
  expect(frames.join()).not.toMatch(/keepPlace|capture|begin/);
});

test("leaves the errors of others alone, and those without a usual stack", () => {
  const other = Object.assign(new Error("of the user"), { stack: "Error: of the user" });
  expect(stackWith(other)).toBe("Error: of the user");
  for (const thrown of [undefined, null, "text", 5]) expect(theCaller()(thrown)).toBe(thrown);
  const sites = [{}];
  expect(stackWith(plain(sites))).toBe(sites);
  const fixed = { value: "FieldmeshError: failed" };
  expect(stackWith(Object.defineProperty(plain(), "stack", fixed))).toBe(fixed.value);
});

test.each<[string, () => void]>([
  ["no frames are captured", () => (Error.stackTraceLimit = 0)],
  ["no stack is captured", () => Object.assign(Error, { stackTraceLimit: undefined })],
  [
    "the engine has no captureStackTrace",
    () => Object.assign(Error, { captureStackTrace: undefined }),
  ],
  ["the program formats stacks as lists", () => (Error.prepareStackTrace = (_, sites) => sites)],
  [
    "the program's own format throws",
    () =>
      (Error.prepareStackTrace = () => {
        throw new Error("own");
      }),
  ],
])("a stack stays as it is if %s", (_, change) => {
  const error = plain();
  change();
  const withPlace = theCaller();
  expect(withPlace(error)).toBe(error);
  expect(error.stack).toBe("FieldmeshError: failed");
});
