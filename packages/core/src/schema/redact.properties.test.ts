import * as fc from "fast-check";
import { expect, test } from "vitest";
import { createSecretCheck, scrub } from "./index.ts";

const bytes = (text: string): Buffer => Buffer.from(text);
const FORMS: readonly ((text: string) => string)[] = [
  (text) => text,
  (text) => text.toUpperCase(),
  (text) => text.toLowerCase(),
  (text) => bytes(text).toString("hex"),
  (text) => bytes(text).toString("base64"),
  (text) => bytes(text).toString("base64url"),
  (text) => text.replaceAll(/[^]/g, (each) => `%${each.charCodeAt(0).toString(16)}`),
];
const form = fc.constantFrom(...FORMS);
// The characters differ: the check ignores a run of one character.
const key = fc
  .array(
    fc.constantFrom(...Array.from("abcdefghijkmnopqrstuvwxyzABCDEFGHKLMNPQRSTUVWXYZ23456789")),
    {
      minLength: 16,
      maxLength: 40,
    },
  )
  .map((characters) => characters.join(""))
  .filter((text) => new Set(text.toLowerCase()).size > 8);
const around = fc.string({ maxLength: 30 }).map((text) => `${text} `);

test("the check finds any eight characters of a secret, in every form and at every position", () => {
  fc.assert(
    fc.property(key, form, around, fc.nat(), (text, write, before, at) => {
      const start = at % (text.length - 7);
      const holdsSecret = createSecretCheck([text]);
      expect(holdsSecret(`${before}${write(text.slice(start, start + 8))} no`)).toBe(true);
    }),
  );
});

test("scrub removes every part of a secret from any JSON, and changes nothing else", () => {
  fc.assert(
    fc.property(key, form, fc.jsonValue(), (text, write, json) => {
      const holdsSecret = createSecretCheck([text]);
      const written = write(text);
      const shown = scrub(
        { json, [written]: [written], in: { text: `of ${written}` } },
        holdsSecret,
      );
      expect(JSON.stringify(shown)).not.toContain(written);
      if (!holdsSecret(JSON.stringify(json)))
        expect((shown as { json: unknown }).json).toEqual(json);
    }),
  );
});
