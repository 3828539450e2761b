import { afterEach, expect, test, vi } from "vitest";
import type { CallError, FetchFunction, FetchInit } from "../src/index.ts";
import { createThings, errorOf, thing } from "./things.ts";

afterEach(() => void vi.unstubAllGlobals());

test("299 is a success", async () => {
  const fetch: FetchFunction = async () => Response.json([thing], { status: 299 });
  expect(await createThings({ fetch }).list()).toEqual([thing]);
});

test("a request without a body passes no body to fetch", async () => {
  const inits: FetchInit[] = [];
  const fetch: FetchFunction = async (_, init) => {
    inits.push(init);
    return Response.json([thing]);
  };
  await createThings({ fetch }).list();
  expect(inits[0]).not.toHaveProperty("body");
});

test("a feature that the runtime lacks ends a call as a bug would, at once", async () => {
  const Response = function (): never {
    throw new RangeError("no null bodies here");
  };
  const done = globalThis.Response.json([thing]);
  const fetch = vi.fn<FetchFunction>(async () => done);
  vi.stubGlobal("Response", Response);
  const error = await errorOf<CallError>(createThings({ fetch }).list());
  expect(error.message).toContain("failed with RangeError, which the client did not expect.");
  expect(error.attempts).toMatchObject([{ failure: "unforeseen", reason: "it would fail again" }]);
  expect(fetch).toHaveBeenCalledTimes(1);
});
