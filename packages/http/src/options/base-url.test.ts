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

test.each(["https://canary@a.test", "https://:canary@a.test", "https://u:canary@a.test"])(
  "a URL with a user or a password is rejected and not shown: %#",
  (given) => {
    expect(() => checkBaseUrl(given, open)).toThrow("must not contain a user name or password");
    expect(() => checkBaseUrl(given, open)).not.toThrow("canary");
  },
);
