import { expect, test } from "vitest";
import { isLoopback } from "./shown-addresses.ts";

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
