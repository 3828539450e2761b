import { beforeEach, expect, test } from "vitest";
import type { FeedMessage, RequestRow, Settings } from "../src/engine/controls/wire.ts";
import { apply, state } from "./store.ts";

const clock = { now: 0, kind: "system", isPaused: false } as const;
const request = (number: number, status?: number): RequestRow => ({
  number,
  time: 0,
  service: "console",
  row: "labels.list",
  method: "GET",
  path: "/console/api/v1/labels",
  status,
  duration: status === undefined ? undefined : 1,
  fault: undefined,
  key: undefined,
  client: undefined,
  done: true,
});
const settings = (firstRequest: number) => ({ firstRequest, logSize: 100 }) as Settings;
const receive = (message: Omit<FeedMessage, "clock">): void => apply({ ...message, clock });
const shown = () => state.requests.map(({ number, status }) => [number, status]);

beforeEach(() => receive({ reset: true, settings: settings(1) }));

test("a request in progress is replaced by its outcome, and a new one is appended", () => {
  receive({ requests: [request(1)] });
  receive({ requests: [request(1, 200), request(2)] });
  expect(shown()).toEqual([
    [1, 200],
    [2, undefined],
  ]);
});

test("the outcome of a request that was cleared while it was in progress does not bring it back", () => {
  receive({ requests: [request(1, 200), request(2)] });
  receive({ settings: settings(3) });
  expect(shown()).toEqual([]);
  receive({ requests: [request(2, 200), request(3)] });
  expect(shown()).toEqual([[3, undefined]]);
});

test("requests before and after the log was cleared can be in one message", () => {
  receive({ settings: settings(3), requests: [request(2, 200), request(3, 200)] });
  expect(shown()).toEqual([[3, 200]]);
});
