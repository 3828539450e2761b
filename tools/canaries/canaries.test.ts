import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, describe, expect, test, vi } from "vitest";
import { createSecretCheck } from "../../packages/core/src/schema/index.ts";
import { canaries, findCanary, fixtureSecret } from "./canaries.ts";
import { CanaryScanner, watchErrors, watchFiles, watchOutput } from "./scanner.ts";

// The scanner itself: a planted leak is found at each place and in each form.

const scanner = new CanaryScanner();
class OurError extends Error {
  readonly facts: unknown;
  constructor(message: string, options?: ErrorOptions & { facts?: unknown }) {
    super(message, options);
    this.facts = options?.facts;
  }
}
// The planted leaks end here: npm test prints none of its secrets.
for (const stream of [process.stdout, process.stderr])
  vi.spyOn(stream, "write").mockReturnValue(true);
watchOutput(scanner);
watchErrors(scanner, OurError);
watchFiles(scanner);

const folder = mkdtempSync(join(tmpdir(), "canaries-"));
afterAll(() => rmSync(folder, { recursive: true }));

const bytes = (text: string): Buffer => Buffer.from(text);
const escapes = (text: string, write: (code: string) => string): string =>
  Array.from(text, (each) => write(each.charCodeAt(0).toString(16))).join("");

const FORMS: readonly [string, (text: string) => string][] = [
  ["as it is", (text) => text],
  ["in small letters", (text) => text.toLowerCase()],
  ["in capitals", (text) => text.toUpperCase()],
  ["in hex", (text) => bytes(text).toString("hex")],
  ["in capital hex", (text) => bytes(text).toString("hex").toUpperCase()],
  ["in base64", (text) => bytes(text).toString("base64")],
  ["in base64 behind one byte", (text) => bytes(`-${text}`).toString("base64")],
  ["in base64 behind two bytes", (text) => bytes(`--${text}`).toString("base64")],
  ["in base64url", (text) => bytes(text).toString("base64url")],
  ["percent-encoded", (text) => escapes(text, (code) => `%${code}`)],
  ["percent-encoded twice", (text) => escapes(text, (code) => `%25${code.toUpperCase()}`)],
  ["with colons", (text) => text.match(/..?/g)!.join(":")],
  ["with blanks, in small letters", (text) => text.toLowerCase().match(/..?/g)!.join(" ")],
  ["escaped as in JSON", (text) => escapes(text, (code) => String.raw`\u${code.padStart(4, "0")}`)],
];

/** The secret of a webhook is base64 already, and its mark is found in that only. */
const plain = [
  ...Object.entries(canaries).filter(([kind]) => kind !== "webhookSecret"),
  ["fixture", fixtureSecret] as const,
];

describe.each(FORMS)("%s", (_form, write) => {
  test.each(plain)("a canary of the kind %s is found", (_kind, canary) => {
    expect(findCanary(`before ${write(canary)} behind`)).toBeDefined();
  });

  const PLACES: readonly [string, (text: string) => unknown][] = [
    ["console.warn", (text) => console.warn("a", { b: [text] })],
    ["console.log", (text) => console.log(text)],
    ["process.stderr", (text) => process.stderr.write(`${text}\n`)],
    ["process.stdout", (text) => process.stdout.write(`${text}\n`)],
    ["an error", (text) => new OurError(text)],
    ["an error", (text) => new OurError("x", { cause: new Error(text) })],
    ["an error", (text) => new OurError("x", { cause: { deep: { in: [text] } } })],
    ["an error", (text) => new OurError("x", { facts: { a: { b: { c: { d: [text] } } } } })],
    ["an error", (text) => Object.assign(new OurError("x"), { stack: `at ${text}` })],
    ["an error", (text) => Object.defineProperty(new OurError("x"), "hidden", { value: text })],
    ["a file", (text) => writeFileSync(join(folder, "a"), text)],
    ["a file", (text) => writeFile(join(folder, "b"), bytes(text))],
    ["hooks.onResponse", (text) => scanner.see("hooks.onResponse", [{ body: { [text]: 1 } }])],
  ];

  test.each(PLACES)("a leak through %s is named", async (place, leak) => {
    await leak(write(canaries.apiKey));
    expect(scanner.hits().join()).toContain(`${place} holds a canary`);
    expect(scanner.hits()).toEqual([]);
  });
});

test("no canary hides another one, in any form", () => {
  for (const [kind, canary] of Object.entries(canaries)) {
    const holdsSecret = createSecretCheck([canary]);
    for (const [other, text] of Object.entries(canaries))
      for (const [, write] of FORMS) expect(holdsSecret(write(text))).toBe(other === kind);
  }
});

test("what holds no canary is not named", () => {
  expect(new OurError("a canary, or vX7Lq2Rk", { cause: new Error("9Tdw") })).toBeInstanceOf(Error);
  console.debug(Buffer.from("no canary").toString("base64"));
  expect(scanner.hits()).toEqual([]);
});

test("the secret of a webhook is found as it is, and as the key that it holds", () => {
  const { webhookSecret } = canaries;
  expect(findCanary(webhookSecret)).toBeDefined();
  expect(findCanary(atob(webhookSecret.slice("whsec_".length)))).toBeDefined();
});
