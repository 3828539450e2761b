import { afterEach, expect, test, vi } from "vitest";
import {
  createTransport,
  CredentialError,
  isApiError,
  type ClientOptions,
  type FetchFunction,
  type TransportInit,
} from "../src/internal.ts";
import { errorOf, thing } from "./things.ts";

afterEach(() => void vi.unstubAllGlobals());

const create = (fetch: FetchFunction, init: Partial<TransportInit> = {}, options?: ClientOptions) =>
  createTransport(
    { baseUrl: "https://things.test", fetch, ...options },
    {
      service: { name: "the service of things", readError: () => ({}) },
      userAgent: "t/1",
      ...init,
    },
  );
const GET = { method: "GET", path: "/v1/things" } as const;

test("a 401 to a client without a credential ends the call at once", async () => {
  const fetch = vi.fn<FetchFunction>(async () => new Response("", { status: 401 }));
  const client = create(fetch);
  expect(isApiError(await errorOf(client.request(GET)), 401)).toBe(true);
  // Nor does it fail for a client that shares its limits.
  expect(isApiError(await errorOf(create(fetch, { parent: client }).request(GET)), 401)).toBe(true);
  expect(fetch).toHaveBeenCalledTimes(2);
});

test("a key that the client's own check refuses is never sent", async () => {
  const fetch = vi.fn<FetchFunction>(async () => Response.json([thing]));
  const check = (key: string): void => {
    if (!key.startsWith("sk_")) throw new TypeError("must begin with sk_");
  };
  const credential = { option: "apiKey", header: "key", value: () => "pk_1", check };
  const error = await errorOf(create(fetch, { credential }).request(GET));
  expect(error).toBeInstanceOf(CredentialError);
  expect(error.message).toContain("the function apiKey must begin with sk_");
  expect(fetch).not.toHaveBeenCalled();
});
