import { expect, test } from "vitest";
import { describeRewound } from "./describe-rewound.ts";

const DAY = 86_400_000;

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
])("what a rewind removes is named with its numbers: %j", (rewound, text) => {
  expect(describeRewound({ before: 1, ...rewound })).toBe(text);
});
