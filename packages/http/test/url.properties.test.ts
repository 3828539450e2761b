import * as fc from "fast-check";
import { expect, test } from "vitest";
import { canaries, everythingPrinted, findCanary } from "../../../tools/canaries/canaries.ts";
import { createThings, errorOf } from "./things.ts";

const { token } = canaries;
/** URLs, and other strings that a user may paste in place of one, with a canary. */
const url = fc.oneof(
  fc.string().map((text) => `${text}${token}`),
  fc.webUrl().map((text) => text.replace("//", `//user:${token}@`)),
  fc.webUrl().map((text) => `${text}?key=${token}`),
  fc.webUrl().map((text) => `${text}#${token}`),
  fc
    .tuple(fc.constantFrom("ftp", "file", "data", "http:", "HTTPS", token), fc.string())
    .map(([scheme, text]) => `${scheme}://${token}:${text}@x/`),
);

test("an error about a base URL shows no user, password, query or fragment", async () => {
  await fc.assert(
    fc.asyncProperty(url, async (baseUrl) => {
      let error: unknown;
      try {
        const fetch = async (): Promise<Response> => Response.json({ no: 1 }, { status: 400 });
        error = await errorOf(createThings({ baseUrl, fetch, retry: false }).list());
      } catch (thrown) {
        error = thrown;
      }
      expect(error).toBeInstanceOf(Error);
      expect(findCanary(everythingPrinted(error))).toBeUndefined();
    }),
  );
});
