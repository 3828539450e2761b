import { setImmediate as turn } from "node:timers/promises";
import { afterEach, beforeEach, expect, test } from "vitest";
import {
  AbortError,
  CursorExpiredError,
  CursorLoopError,
  InputError,
  isApiError,
  TooManyEmptyPagesError,
} from "../src/index.ts";
import { idsOf, startList, upTo } from "./list-server.ts";
import { errorOf } from "./things.ts";

const unhandled: unknown[] = [];
const note = (reason: unknown): void => void unhandled.push(reason);

beforeEach(() => void process.on("unhandledRejection", note));
afterEach(async () => {
  // Node reports an unhandled rejection once the microtask queue is empty.
  await turn();
  await turn();
  process.off("unhandledRejection", note);
  // oxlint-disable-next-line vitest/no-standalone-expect -- each test must leave no unhandled rejection
  expect(unhandled.splice(0)).toEqual([]);
});

test("the next call of next() retries a page that failed", async () => {
  const list = startList({ length: 7 });
  list.failures.push(undefined, 500, 503);
  const walk = list.things.walk().walk();
  const ids: number[] = [];
  const failures: number[] = [];
  for (;;) {
    try {
      const { done, value } = await walk.next();
      if (done === true) break;
      ids.push(value.id);
    } catch (error) {
      expect(isApiError(error)).toBe(true);
      failures.push(ids.length);
    }
  }
  expect(ids).toEqual(upTo(7));
  expect(failures).toEqual([3, 3]);
});

test("the failure of a next() for which the caller no longer waits is not an unhandled rejection", async () => {
  const list = startList({ length: 2 });
  list.failures.push(500, 500);
  const walk = list.things.walk().walk();
  void walk.next();
  void walk.next();
  expect(await idsOf(walk)).toEqual([0, 1]);
});

test("after a CursorLoopError, next() rejects again and sends nothing", async () => {
  const list = startList({ length: 9, next: () => "c3" });
  const walk = list.things.walk().walk();
  const first = await errorOf(idsOf(walk));
  expect(first).toBeInstanceOf(CursorLoopError);
  expect(first).toMatchObject({ cursor: "c3", pages: 2, items: 6 });
  expect(first.message).toContain("had already followed, after 2 pages and 6 items.");
  const asked = list.queries.length;
  expect(await errorOf(walk.next())).toBeInstanceOf(CursorLoopError);
  expect(list.queries).toHaveLength(asked);
});

test("after a TooManyEmptyPagesError, next() reads the same number of pages again", async () => {
  const endless = startList({ length: 10, size: 0, next: () => `c${Math.random()}` });
  const walk = endless.things.walk({}, { maxEmptyPages: 4 }).walk();
  expect(await errorOf(walk.next())).toBeInstanceOf(TooManyEmptyPagesError);
  expect(endless.queries).toHaveLength(5);
  expect(await errorOf(walk.next())).toBeInstanceOf(TooManyEmptyPagesError);
  expect(endless.queries).toHaveLength(10);
});

test("break cancels the request in progress", async () => {
  const list = startList({ length: 9 });
  for await (const { id } of list.things.walk()) {
    if (id === 0) {
      list.hold();
      continue;
    }
    break;
  }
  await turn();
  expect(list.queries).toHaveLength(2);
  expect(list.open).toBe(0);
});

test("an error in the loop body cancels the request in progress, and is rethrown unchanged", async () => {
  const list = startList({ length: 9 });
  const broken = new Error("in the body");
  const run = async (): Promise<void> => {
    for await (const { id } of list.things.walk()) if (id === 1) throw broken;
  };
  expect(await errorOf(run())).toBe(broken);
  await turn();
  expect(list.open).toBe(0);
});

test("a failed prefetch has no effect if its page is never requested", async () => {
  const list = startList({ length: 9 });
  list.failures.push(undefined, 500);
  const walk = list.things.walk().walk();
  await walk.next();
  await turn();
  await walk.return();
  expect(await walk.next()).toEqual({ done: true, value: undefined });
});

test("return() ends a pending next()", async () => {
  const list = startList({ length: 9 });
  list.hold();
  const walk = list.things.walk().walk();
  const waiting = walk.next();
  await turn();
  await walk.return();
  expect(await waiting).toEqual({ done: true, value: undefined });
  expect(list.cancelled).toBe(1);
});

test("the signal ends the walk at once, even if items are already loaded", async () => {
  const list = startList({ length: 9 });
  const controller = new AbortController();
  const walk = list.things.walk({}, { signal: controller.signal }).walk();
  await walk.next();
  list.hold();
  const reason = new Error("enough");
  controller.abort(reason);
  const error = await errorOf(walk.next());
  expect(error).toBeInstanceOf(AbortError);
  expect(error.cause).toBe(reason);
  expect(await errorOf(walk.next())).toBeInstanceOf(AbortError);
  await turn();
  expect(list.open).toBe(0);
});

test("a walk leaves no listener on the signal", async () => {
  const list = startList({ length: 9 });
  const { signal } = new AbortController();
  let listeners = 0;
  const add = signal.addEventListener.bind(signal);
  const remove = signal.removeEventListener.bind(signal);
  signal.addEventListener = (...args: Parameters<typeof add>) => (listeners++, add(...args));
  signal.removeEventListener = (...args: Parameters<typeof remove>) => (
    listeners--,
    remove(...args)
  );
  await idsOf(list.things.walk({}, { signal }));
  expect(listeners).toBe(0);
});

test("overlapping calls of next() resolve in order, with each item once", async () => {
  const list = startList({ length: 8 });
  const walk = list.things.walk().walk();
  const results = await Promise.all(Array.from({ length: 10 }, () => walk.next()));
  expect(results.map(({ value }) => value?.id)).toEqual([...upTo(8), undefined, undefined]);
});

test("an expired cursor causes a CursorExpiredError that prints no cursor", async () => {
  const list = startList({ length: 9 });
  list.failures.push(undefined, "expired");
  const error = await errorOf(idsOf(list.things.walk()));
  expect(error).toBeInstanceOf(CursorExpiredError);
  expect(error).toMatchObject({ cursor: "c3", outcome: "rejected" });
  expect(error.message).toContain('onCursorExpired: "restart"');
  expect(`${error.stack} ${JSON.stringify(error)}`).not.toContain("c3");
});

test.for([
  ["maxItems", { maxItems: -1 }],
  ["maxPages", { maxPages: 1.5 }],
  ["prefetch", { prefetch: 2 }],
  ["anchorSize", { anchorSize: 0 }],
  ["onCursorExpired", { onCursorExpired: "guess" }],
  ["query.kind", { query: { kind: "x" } }],
] as const)("rejects the option %s before anything is sent", async ([name, options]) => {
  const list = startList({ length: 9 });
  const error = await errorOf(
    list.things
      .walk({}, options as never)
      .walk()
      .next(),
  );
  expect(error).toBeInstanceOf(InputError);
  expect(error.message).toContain(`options.${name}`);
  expect(list.queries).toEqual([]);
});
