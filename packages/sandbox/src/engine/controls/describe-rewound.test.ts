import { expect, test } from "vitest";
import { describeRewound } from "./describe-rewound.ts";

const DAY = 86_400_000;
const NOTHING = { before: 1, requests: 1, devices: 0, deliveries: 0, ms: 0 };

test.each([
  [
    { requests: 10, devices: 3, deliveries: 4, ms: 4 * DAY },
    "removes 10 requests, 3 devices, 4 deliveries; sets the clock back 4 days",
  ],
  [{ requests: 1, devices: 0, deliveries: 0, ms: 999 }, "removes 1 request"],
  [
    { requests: 1_200, devices: -1, deliveries: 1, ms: 3_600_000 },
    "removes 1,200 requests, 1 delivery; brings back 1 device; sets the clock back 1 hour",
  ],
  [
    { requests: 2, devices: -1_200, deliveries: -2 },
    "removes 2 requests; brings back 1,200 devices, 2 deliveries",
  ],
])("what a rewind removes is named with its numbers: %j", (rewound, text) => {
  expect(describeRewound({ ...NOTHING, ...rewound })).toBe(text);
});

test.each([
  [1_000, "1 second"],
  [59_000, "59 seconds"],
  [60_000, "1 minute"],
  [150_000, "3 minutes"],
  [3_599_999, "60 minutes"],
  [3_600_000, "1 hour"],
  [2 * 3_600_000, "2 hours"],
  [DAY, "1 day"],
  [DAY + 1, "1 day"],
  [400 * DAY, "400 days"],
])("a time of %d ms is written in its largest unit", (ms, text) => {
  expect(describeRewound({ ...NOTHING, ms })).toBe(
    `removes 1 request; sets the clock back ${text}`,
  );
});
