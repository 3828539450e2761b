import { afterEach, expect, test, vi } from "vitest";
import { tracingChannel } from "node:diagnostics_channel";
import {
  createTransport,
  CredentialError,
  isApiError,
  type CallError,
  type ClientOptions,
  type FetchFunction,
  type FetchInit,
  type TransportInit,
} from "../src/internal.ts";
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

test.each([
  ["https://things.test", 443],
  ["http://127.0.0.1", 80],
  ["http://127.0.0.1:8080", 8080],
])("the messages of %s name the port %d", async (baseUrl, port) => {
  const seen: unknown[] = [];
  const start = (message: object): void => void seen.push(Reflect.get(message, "serverPort"));
  const channel = tracingChannel("fieldmesh:call");
  const nothing = (): void => undefined;
  const subscribers = {
    start,
    end: nothing,
    asyncStart: nothing,
    asyncEnd: nothing,
    error: nothing,
  };
  channel.subscribe(subscribers);
  await create(async () => Response.json([thing]), {}, { baseUrl }).request(GET);
  channel.unsubscribe(subscribers);
  expect(seen).toEqual([port]);
});
