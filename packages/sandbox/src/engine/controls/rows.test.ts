import { Secret } from "@fieldmesh/core";
import { expect, test } from "vitest";
import type { LoggedRequest } from "../log/logged-request.ts";
import { toEndpointRow, toEventRow, toRequestRow } from "./rows.ts";

const request: LoggedRequest = {
  number: 7,
  time: 1_000,
  service: "console",
  row: "labels.list",
  method: "GET",
  path: "/console/api/v1/labels",
  url: "/console/api/v1/labels?secret=1",
  headers: { key: "secret" },
  body: "secret",
  bodyLength: 6,
  status: 200,
  duration: 1.26,
  fault: { kind: "delay", ms: 5 },
  done: true,
  error: new Error("secret"),
};

test("a request has a row without its content", () => {
  expect(toRequestRow(request)).toStrictEqual({
    number: 7,
    time: 1_000,
    service: "console",
    row: "labels.list",
    method: "GET",
    path: "/console/api/v1/labels",
    status: 200,
    duration: 1.3,
    fault: "delay",
    done: true,
  });
});

test.each([
  [12.34, 12.3],
  [0.05, 0.1],
  [0.04, 0],
  [0, 0],
  [1_234.56, 1_234.6],
  [undefined, undefined],
])("a duration of %s ms is shown to a tenth", (duration, shown) => {
  expect(toRequestRow({ ...request, duration }).duration).toBe(shown);
});

test("a request without a fault has none in its row", () => {
  expect(toRequestRow({ ...request, fault: undefined }).fault).toBeUndefined();
});

test("an event has a row without its data", () => {
  const row = { id: "evt_1", type: "sim.activated", created_at: "2026-01-01", livemode: true };
  expect(toEventRow({ ...row, data: { secret: 1 }, idempotency_key: "secret" })).toStrictEqual(row);
});

test("a webhook endpoint has a row with the number of its secrets", () => {
  const row = { id: "we_1", url: "http://127.0.0.1/", enabled_events: ["*"], livemode: false };
  const secrets = [new Secret("first"), new Secret("second")];
  expect(toEndpointRow({ ...row, secrets })).toStrictEqual({ ...row, secrets: 2 });
});
