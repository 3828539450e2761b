import { describe, expect, test } from "vitest";
import { buildUrl, checkSegment, fillPath, reservedWords } from "./url.ts";

const problemOf = (value: string, ...reserved: string[]): string | undefined =>
  checkSegment(value, new Set(reserved));

describe("a path value", () => {
  test.each([
    ["", "must not be empty"],
    ["\ud800", "contains half of a surrogate pair"],
    ["%ff", "contains a percent sequence that is broken or encoded several times"],
    ["..", "must not consist of dots"],
    ["..;x", "must not consist of dots"],
    ["a/b", "must not contain a slash, a backslash or a control character"],
    ["a\\b", "must not contain a slash, a backslash or a control character"],
    ["a\nb", "must not contain a slash, a backslash or a control character"],
    ["ACTIVE", "is a word that the path already uses for another endpoint"],
    ["%61ctive", "is a word that the path already uses for another endpoint"],
  ])("%o: %s", (value, message) => {
    expect(problemOf(value, "active")).toBe(message);
  });

  test.each(["v1.", "a..", ".a", "a.;b", "50%", "5%ag", "inactive", " ", "ü"])(
    "%o is accepted",
    (value) => {
      expect(problemOf(value, "active")).toBeUndefined();
    },
  );

  test("is decoded five times, and rejected if it is encoded six times", () => {
    const encoded = (times: number) => `%${"25".repeat(times - 1)}61`;
    expect(problemOf(encoded(1))).toBeUndefined();
    expect(problemOf(encoded(5))).toBeUndefined();
    expect(problemOf(encoded(5), "a")).toContain("another endpoint");
    expect(problemOf(encoded(6))).toContain("encoded several times");
  });
});

describe("a URL", () => {
  const base = new URL("https://a.test/prefix");

  test("contains the encoded values in its path, followed by the query", () => {
    expect(
      buildUrl(base, fillPath("/v1/:kind/labels/:label_id", { kind: "x y", label_id: "ü/?" }), []),
    ).toBe("https://a.test/prefix/v1/x%20y/labels/%C3%BC%2F%3F");
    expect(buildUrl(base, "/v1", Object.entries({ "a b": "c+d", e: "&" }))).toBe(
      "https://a.test/prefix/v1?a%20b=c%2Bd&e=%26",
    );
  });

  test("has one slash between base and path, with or without a prefix", () => {
    for (const origin of [
      "https://a.test",
      "https://a.test/",
      "https://a.test/b",
      "https://a.test/b/",
    ])
      expect(buildUrl(new URL(origin), "/v1", [])).toBe(`${origin.replace(/\/$/, "")}/v1`);
  });
});

describe("words that other routes have at the position of a parameter", () => {
  const wordsOf = (route: string, ...others: string[]) =>
    Object.fromEntries(
      [...reservedWords([route, ...others], route)].map(([name, words]) => [name, [...words]]),
    );

  test("are reserved for every method, and no other words are", () => {
    expect(
      wordsOf(
        "GET /v1/labels/:label_id",
        "GET /v1/labels/active",
        "POST /v1/labels/find?all=1",
        "PUT /v1/labels/:id",
        "GET /v1/labels",
        "GET /v1/devices/recent",
        "GET /v2/labels/old",
      ),
    ).toEqual({ label_id: ["active", "find"] });
  });

  test("are reserved after a parameter of any name, but not after another word", () => {
    expect(
      wordsOf(
        "GET /:kind/items/:item",
        "GET /:sort/items/first",
        "GET /labels/items/last",
        "GET /:kind/others/none",
      ),
    ).toEqual({ kind: ["labels"], item: ["first"] });
  });
});
