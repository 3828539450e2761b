import { expect, test } from "vitest";
import { checkBaseUrl } from "./base-url.ts";

const open = { hasCredential: false, allowInsecureHttp: false };

test.each([
  ["https://a.test", "https://a.test/"],
  ["https://a.test/", "https://a.test/"],
  ["https://a.test///", "https://a.test/"],
  ["https://a.test/b", "https://a.test/b"],
  ["https://a.test/b/", "https://a.test/b"],
  ["https://a.test/b///", "https://a.test/b"],
  ["https://a.test//b//c//", "https://a.test//b//c"],
  ["HTTP://A.test/B/", "http://a.test/B"],
])("%s becomes %s, without trailing slashes", (given, expected) => {
  expect(checkBaseUrl(given, open).href).toBe(expected);
  expect(checkBaseUrl(new URL(given), open).href).toBe(expected);
});
