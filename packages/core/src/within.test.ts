import { afterEach, beforeEach, expect, test, vi } from "vitest";
import { within } from "./within.ts";

beforeEach(() => void vi.useFakeTimers());
afterEach(() => void vi.useRealTimers());

const never = new Promise<never>(() => undefined);

test("settles like the work, and leaves no timer behind", async () => {
  expect(await within(1_000, () => 1, "late")).toBe(1);
  expect(await within(1_000, async () => 2, "late")).toBe(2);
  await expect(within(1_000, () => Promise.reject(new Error("own")), "late")).rejects.toThrow(
    "own",
  );
  const throws = (): never => {
    throw new Error("at once");
  };
  await expect(within(1_000, throws, "late")).rejects.toThrow("at once");
  expect(vi.getTimerCount()).toBe(0);
});

test("rejects at the limit, and not before, if the work never settles", async () => {
  let error: unknown;
  within(1_000, () => never, "it hangs").catch((thrown: unknown) => (error = thrown));
  await vi.advanceTimersByTimeAsync(999);
  expect(error).toBeUndefined();
  await vi.advanceTimersByTimeAsync(1);
  expect(error).toEqual(new Error("it hangs"));
});

test("drops what the work settles with after the limit, also an error", async () => {
  const late = Promise.withResolvers<number>();
  const waiting = within(10, () => late.promise, "it hangs").catch(String);
  await vi.advanceTimersByTimeAsync(10);
  expect(await waiting).toBe("Error: it hangs");
  late.reject(new Error("later"));
  await vi.advanceTimersByTimeAsync(1);
});

test("undoes a result that comes after the limit, and only such a one", async () => {
  const undone: number[] = [];
  const undo = (result: number) => void undone.push(result);
  expect(await within(10, async () => 1, "it hangs", undo)).toBe(1);
  const late = Promise.withResolvers<number>();
  const waiting = within(10, () => late.promise, "it hangs", undo).catch(String);
  await vi.advanceTimersByTimeAsync(10);
  expect(await waiting).toBe("Error: it hangs");
  late.resolve(2);
  await vi.advanceTimersByTimeAsync(1);
  expect(undone).toEqual([2]);
});
