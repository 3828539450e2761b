import { expect, test } from "vitest";
import { shownAddresses, isLoopback } from "./shown-addresses.ts";

test.each([
  ["https://x.test/a", "https://x.test/a"],
  ["https://x.test/a?token=t#part", "https://x.test/a?[redacted]#part"],
  ["mqtts://user:password@x.test:1883/t", "mqtts://[redacted]@x.test:1883/t"],
  [
    "to https://a@x.test?b=c, or HTTP://Y.test/?d",
    "to https://[redacted]@x.test?[redacted] or HTTP://Y.test/?[redacted]",
  ],
  ["https://x.test/a?", "https://x.test/a"],
  ["postgres://user:p@ss@x.test/d", "postgres://[redacted]@x.test/d"],
  ["url_https://user:p@x.test/?t", "url_https://[redacted]@x.test/?[redacted]"],
  ["1https://user:p@x.test", "1https://[redacted]@x.test"],
  [`${"long".repeat(9)}://user:p@x.test`, `${"long".repeat(9)}://[redacted]@x.test`],
  [
    String.raw`https:\/\/user:p@x.test\/a?token=t`,
    String.raw`https:\/\/[redacted]@x.test\/a?[redacted]`,
  ],
  [String.raw`https:\\user:p@x.test`, String.raw`https:\\[redacted]@x.test`],
  ["/a?token=t", "/a?[redacted]"],
  ["//user:p@x.test/a?token=t", "//[redacted]@x.test/a?[redacted]"],
  ["why? a:b@c //x.test?token=t", "why? a:b@c //x.test?token=t"],
])("%s is shown as %s", (text, shown) => {
  expect(shownAddresses(text)).toBe(shown);
});

test.each([
  "http://localhost",
  "http://console.localhost:8080",
  "http://127.0.0.1",
  "http://127.8.9.1",
  "http://[::1]:80",
  "http://2130706433",
])("%s is a loopback address", (url) => {
  expect(isLoopback(new URL(url).hostname)).toBe(true);
});

test.each([
  "http://localhost.example.com",
  "http://127.0.0.1.example.com",
  "http://10.0.0.1",
  "http://[::2]",
  "http://0.0.0.0",
  "http://example.com",
])("%s is not a loopback address", (url) => {
  expect(isLoopback(new URL(url).hostname)).toBe(false);
});
