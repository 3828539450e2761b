import * as fc from "fast-check";
import { expect, test } from "vitest";
import { canaries, findCanary } from "../../../tools/canaries/canaries.ts";
import { everyHook, everythingPrinted } from "../../../tools/testing/canary.ts";
import { createThings, errorOf, thing } from "./things.ts";

const bytes = (text: string): Buffer => Buffer.from(text);
const form = fc.constantFrom<((text: string) => string)[]>(
  (text) => text,
  (text) => text.toUpperCase(),
  (text) => bytes(text).toString("hex"),
  (text) => bytes(text).toString("base64url"),
  encodeURIComponent,
);
const secret = fc.constantFrom(canaries.apiKey, canaries.appKey);

async function everythingShown(response: () => Response): Promise<string> {
  const seen: unknown[] = [];
  const things = createThings({
    retry: false,
    validation: "warn",
    onDrift: (drift) => seen.push(drift),
    hooks: everyHook((_, event) => seen.push(event)),
    fetch: async () => response(),
    service: {
      readError: ({ body }, _, show) => ({
        message: show(body),
        fields: { [show(body) ?? "x"]: [] },
      }),
    },
  });
  const call = things.createOnce({ name: "one", key: canaries.appKey });
  seen.push(response().ok ? await call.then(() => "", String) : await errorOf(call));
  return seen.map(everythingPrinted).join("\n");
}

test("an error shows no part of a secret that its JSON body contains", async () => {
  await fc.assert(
    fc.asyncProperty(secret, form, fc.jsonValue(), async (text, write, json) => {
      const body = JSON.stringify({ json, errors: { [write(text)]: json }, text: write(text) });
      const shown = await everythingShown(() => new Response(body, { status: 422 }));
      expect(findCanary(shown)).toBeUndefined();
    }),
  );
});

test("hooks and drift show no part of a secret that a successful JSON response contains", async () => {
  await fc.assert(
    fc.asyncProperty(secret, form, fc.jsonValue(), async (text, write, json) => {
      const body = { ...thing, name: write(text), [write(text)]: json, more: [write(text)] };
      expect(findCanary(await everythingShown(() => Response.json(body)))).toBeUndefined();
    }),
  );
});

test("errors and hooks show no part of a secret in headers or a Location", async () => {
  await fc.assert(
    fc.asyncProperty(secret, form, fc.webUrl(), async (text, write, url) => {
      const headers = {
        location: `${encodeURI(url)}/${write(text)}`,
        "x-request-id": write(text),
        [`x-${write(text).replaceAll(/[^\w-]/g, "-")}`]: "1",
      };
      const shown = await everythingShown(() => new Response("{}", { status: 302, headers }));
      expect(findCanary(shown)).toBeUndefined();
    }),
  );
});
