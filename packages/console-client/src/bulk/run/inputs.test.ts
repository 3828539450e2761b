import { expect, test, vi } from "vitest";
import { CallersError } from "./bulk-error.ts";
import { openInputs, type Inputs } from "./inputs.ts";

/** A clock whose sleeps end when the test says so, or with their signal. */
function clockOf() {
  const sleeps: { milliseconds: number; signal: AbortSignal | undefined; wake: () => void }[] = [];
  return {
    sleeps,
    clock: {
      now: () => 0,
      sleep: (milliseconds: number, signal?: AbortSignal) =>
        new Promise<void>((wake, reject) => {
          signal?.addEventListener("abort", () => reject(signal.reason as Error));
          sleeps.push({ milliseconds, signal, wake });
        }),
    },
  };
}
const turn = (): Promise<void> => new Promise((resolve) => setImmediate(resolve));
const open = (inputs: unknown, clock = clockOf().clock) => openInputs(inputs as Inputs, clock);

/** An iterable whose iterator has these methods. */
const sourceOf = (methods: object) => ({ [Symbol.asyncIterator]: () => methods });

test("all inputs of a source arrive in their order, and those that are promises resolved", async () => {
  const seen: unknown[] = [];
  for await (const each of open([1, Promise.resolve(2), undefined])) seen.push(each);
  expect(seen).toEqual([1, 2, undefined]);
  const stream = (async function* () {
    yield 3;
  })();
  for await (const each of open(stream)) seen.push(each);
  expect(seen.at(-1)).toBe(3);
});

test("an error of a source, or of a promise in it, names the input", async () => {
  const thrown = new Error("no disk");
  const rejecting = sourceOf({ next: () => Promise.reject(thrown) });
  for (const source of [
    rejecting,
    [Promise.reject(thrown)],
    {
      [Symbol.iterator]: () => {
        throw thrown;
      },
    },
  ]) {
    const error = await open(source)
      .next()
      .catch((each: unknown) => each);
    expect(error).toBeInstanceOf(CallersError);
    expect(error).toMatchObject({ thrower: "the input", thrown });
  }
});

test("a source is closed once, and not if it was never read, has ended or has failed", async () => {
  const close = vi.fn(async () => ({ done: true }));
  const of = (next: () => unknown) => open(sourceOf({ next, return: close }));
  const unread = of(async () => ({ value: 1 }));
  await unread.close();
  const ended = of(async () => ({ done: true }));
  expect(await ended.next()).toEqual({ done: true, value: undefined });
  await ended.close();
  const failed = of(() => Promise.reject(new Error("no disk")));
  await failed.next().catch(() => undefined);
  await failed.close();
  expect(close).not.toHaveBeenCalled();
  const left = of(async () => ({ value: 1 }));
  await left.next();
  await left.close();
  await left.close();
  expect(close).toHaveBeenCalledOnce();
  const without = open(sourceOf({ next: async () => ({ value: 1 }) }));
  await without.next();
  await expect(without.close()).resolves.toBeUndefined();
});

test("a source has a second to close, and its timer ends with it", async () => {
  const { clock, sleeps } = clockOf();
  const { promise, resolve } = Promise.withResolvers<void>();
  const inputs = open(sourceOf({ next: async () => ({ value: 1 }), return: () => promise }), clock);
  await inputs.next();
  let isClosed = false;
  const closing = inputs.close().then(() => (isClosed = true));
  await turn();
  expect([isClosed, sleeps[0]?.milliseconds, sleeps[0]?.signal?.aborted]).toEqual([
    false,
    1_000,
    false,
  ]);
  resolve();
  await closing;
  expect(sleeps[0]?.signal?.aborted).toBe(true);
});

test("a source that does not close in time, or fails to, does not hold up the run", async () => {
  const { clock, sleeps } = clockOf();
  const stuck = open(
    sourceOf({ next: async () => ({ value: 1 }), return: () => new Promise(() => undefined) }),
    clock,
  );
  await stuck.next();
  const closing = stuck.close();
  await turn();
  sleeps[0]?.wake();
  await closing;
  const failing = open(
    sourceOf({
      next: async () => ({ value: 1 }),
      return: () => {
        throw new Error("no disk");
      },
    }),
  );
  await failing.next();
  await failing.close();
});

test("a source that waits for its next input is told to close, and nobody waits for it", async () => {
  const { clock, sleeps } = clockOf();
  const close = vi.fn(() => new Promise(() => undefined));
  const waiting = open(
    sourceOf({ next: () => new Promise(() => undefined), return: close }),
    clock,
  );
  void waiting.next();
  await waiting.close();
  await turn();
  expect(close).toHaveBeenCalledOnce();
  expect(sleeps).toEqual([]);
});
