import { expect, test } from "vitest";
import { shownAddresses } from "./shown-addresses.ts";

test.each([
  ["https://x.test/a", "https://x.test/a"],
  ["https://x.test/a?token=t#part", "https://x.test/a?[redacted]#part"],
  ["mqtts://user:password@x.test:1883/t", "mqtts://[redacted]@x.test:1883/t"],
  [
    "to https://a@x.test?b=c, or HTTP://Y.test/?d",
    "to https://[redacted]@x.test?[redacted] or HTTP://Y.test/?[redacted]",
  ],
  ["https://x.test/a?", "https://x.test/a"],
  ["why? a:b@c //x.test?token=t", "why? a:b@c //x.test?token=t"],
])("%s is shown as %s", (text, shown) => {
  expect(shownAddresses(text)).toBe(shown);
});
