import { getEventListeners } from "node:events";
import { expect, test } from "vitest";
import { createFeed } from "../services/feed.ts";
import { createHistory } from "./activity-history.ts";

/** A history, and a function that makes a number of things happen. */
function open() {
  const feed = createFeed();
  const history = createHistory(feed);
  const happen = (times = 1) => {
    for (let done = 0; done < times; done++) feed.report({ kind: "clock" });
  };
  return { feed, history, happen };
}

test("what happened after a version is returned in order", () => {
  const { feed, history } = open();
  expect([history.version, history.since(0)]).toEqual([0, []]);
  feed.report({ kind: "clock" });
  feed.report({ kind: "faults" });
  feed.report({ kind: "clear" });
  expect(history.version).toBe(3);
  expect(history.since(0)).toEqual([{ kind: "clock" }, { kind: "faults" }, { kind: "clear" }]);
  expect(history.since(1)).toEqual([{ kind: "faults" }, { kind: "clear" }]);
  expect(history.since(3)).toEqual([]);
});

test("a version that is still to come is not known", () => {
  const { history, happen } = open();
  happen(2);
  expect(history.since(3)).toBeUndefined();
});

test("what happened before the first viewer is not part of the history", () => {
  const feed = createFeed();
  feed.report({ kind: "clock" });
  const history = createHistory(feed);
  feed.report({ kind: "faults" });
  expect(history.since(0)).toEqual([{ kind: "faults" }]);
});

test("at least the last 20,000 activities are kept, and less than twice as many", () => {
  const { history, happen } = open();
  happen(39_999);
  expect(history.since(0)).toHaveLength(39_999);
  happen();
  expect(history.since(19_999)).toBeUndefined();
  expect(history.since(20_000)).toHaveLength(20_000);
  happen();
  expect([history.version, history.since(20_000)?.length]).toEqual([40_001, 20_001]);
});

test("a viewer that waits continues with the next activity, and leaves no listener behind", async () => {
  const { history, happen } = open();
  const { signal } = new AbortController();
  let isDone = false;
  const waiting = history.changed(0, signal).then(() => (isDone = true));
  expect(getEventListeners(signal, "abort")).toHaveLength(1);
  await new Promise(setImmediate);
  expect(isDone).toBe(false);
  happen();
  await waiting;
  expect(getEventListeners(signal, "abort")).toEqual([]);
  // The next wait is for the next activity.
  const next = history.changed(1, signal);
  happen();
  await next;
});

test("a viewer that missed something does not wait", async () => {
  const { history, happen } = open();
  happen();
  const { signal } = new AbortController();
  await history.changed(0, signal);
  expect(getEventListeners(signal, "abort")).toEqual([]);
});

test("a wait ends with the reason of its signal, before and while it waits", async () => {
  const { history, happen } = open();
  const left = new AbortController();
  const waiting = history.changed(0, left.signal);
  const reason = new Error("left");
  left.abort(reason);
  await expect(waiting).rejects.toBe(reason);
  expect(getEventListeners(left.signal, "abort")).toEqual([]);
  happen();
  await expect(history.changed(0, left.signal)).rejects.toBe(reason);
});
