import { describe, expect, test, vi } from "vitest";
import {
  bindClient,
  Secret,
  type CallError,
  type ClientMethods,
  type Drift,
  type FetchFunction,
} from "../src/internal.ts";
import { createThings, createThingsTransport, errorOf, type ThingsOptions } from "./things.ts";

interface Client extends ClientMethods<Client, ThingsOptions> {}

function createClient(options: ThingsOptions): Client {
  const create = (own: ThingsOptions, parent?: ThingsOptions["parent"]): Client =>
    bindClient(createThingsTransport({ ...own, ...(parent && { parent }) }), own, create);
  return create(options);
}

const get = { method: "GET", path: "/v1/things" } as const;

test("withOptions returns a client with the options of the original, except the given ones", async () => {
  const seen: [string, string | null, string | null][] = [];
  const fetch: FetchFunction = async (url, { headers }) => {
    seen.push([url, headers.get("key"), headers.get("x-team")]);
    return Response.json([]);
  };
  const client = createClient({ apiKey: "one", headers: { "x-team": "water" }, fetch });
  const other = client.withOptions({ apiKey: "two" });
  const third = other.withOptions({ baseUrl: "https://other.test", headers: {} });
  for (const each of [client, other, third]) await each.request(get);
  expect(seen).toEqual([
    ["https://things.test/v1/things", "one", "water"],
    ["https://things.test/v1/things", "two", "water"],
    ["https://other.test/v1/things", "two", null],
  ]);
});

test("withOptions rejects invalid options as the creation of a client does", () => {
  const client = createClient({});
  expect(() => client.withOptions({ timout: 5 } as never)).toThrow('Did you mean "timeout"?');
  expect(() => client.withOptions({ apiKey: "" })).toThrow("apiKey is empty");
  expect(() => client.withOptions(5 as never)).toThrow("withOptions requires an object");
});

describe("a pause after a 429 delays", () => {
  const delayOf = async (
    change: ThingsOptions,
    apiKey: ThingsOptions["apiKey"] = "one",
  ): Promise<number> => {
    let sent = 0;
    const fetch: FetchFunction = async () =>
      sent++ === 0
        ? new Response("", { status: 429, headers: { "retry-after": "0.3" } })
        : Response.json([]);
    const client = createClient({ apiKey: apiKey as string, fetch });
    const other = client.withOptions(change);
    const limited = client.request(get);
    await vi.waitFor(() => expect(sent).toBe(1));
    await new Promise((resolve) => setTimeout(resolve, 20));
    const start = performance.now();
    await other.request(get);
    const delay = performance.now() - start;
    await limited;
    return delay;
  };

  test("a client of the same credential", async () => {
    expect(await delayOf({ timeout: 5_000 })).toBeGreaterThan(200);
    expect(await delayOf({ apiKey: new Secret("one") })).toBeGreaterThan(200);
    const apiKey = async (): Promise<string> => "one";
    expect(await delayOf({ apiKey }, apiKey)).toBeGreaterThan(200);
  });

  test("no client of another credential or server", async () => {
    expect(await delayOf({ apiKey: "two" })).toBeLessThan(150);
    expect(await delayOf({ baseUrl: "https://other.test" })).toBeLessThan(150);
    expect(await delayOf({ apiKey: async () => "one" }, async () => "one")).toBeLessThan(150);
  });
});

test("clients of one credential share the retry budget", async () => {
  let requests = 0;
  const fetch: FetchFunction = async () => (requests++, new Response("", { status: 503 }));
  const client = createClient({ fetch });
  const reasonOf = async (each: Client): Promise<string | undefined> =>
    (await errorOf<CallError>(each.request(get))).attempts.at(-1)?.reason;
  while (!(await reasonOf(client))?.includes("budget"));
  expect(await reasonOf(client.withOptions({ timeout: 5 }))).toContain("budget is used up");
  expect(await reasonOf(client.withOptions({ apiKey: "other" }))).toBe("all 3 attempts are used");
  expect(requests).toBeGreaterThan(3);
});

test("an apiKey function is called once for all clients that share it", async () => {
  const apiKey = vi.fn(async () => "one");
  const client = createClient({ apiKey, fetch: async () => Response.json([]) });
  await client.request(get);
  await client.withOptions({ timeout: 500 }).request(get);
  expect(apiKey).toHaveBeenCalledTimes(1);
});

describe("options of one call", () => {
  const failing = (): { fetch: FetchFunction; sent: () => number } => {
    let sent = 0;
    return { fetch: async () => (sent++, new Response("", { status: 503 })), sent: () => sent };
  };

  test("retry overrides the members that it names", async () => {
    const { fetch, sent } = failing();
    const things = createThings({ fetch, retry: { attempts: 2, baseDelay: 1, maxDelay: 1 } });
    await errorOf(things.list({ retry: false }));
    expect(sent()).toBe(1);
    const start = performance.now();
    await errorOf(things.list({ retry: { attempts: 5 } }));
    expect(sent()).toBe(6);
    expect(performance.now() - start).toBeLessThan(200);
    await errorOf(things.list());
    expect(sent()).toBe(8);
  });

  test("retry applies to each page of a walk", async () => {
    const { fetch, sent } = failing();
    await errorOf(createThings({ fetch }).walk({}, { retry: false }).page());
    expect(sent()).toBe(1);
  });

  test("validation overrides the client's", async () => {
    const drifts: Drift[] = [];
    const onDrift = (drift: Drift): void => void drifts.push(drift);
    const fetch: FetchFunction = async () => Response.json([{ id: "7", name: "one" }]);
    const things = createThings({ fetch, onDrift });
    await expect(things.list()).rejects.toThrow("does not fit");
    expect(await things.list({ validation: "warn" })).toEqual([{ id: "7", name: "one" }]);
    expect(drifts).toHaveLength(1);
    await things.list({ validation: "off" });
    expect(drifts).toHaveLength(1);
    await expect(
      createThings({ fetch, validation: "off" }).list({ validation: "strict" }),
    ).rejects.toThrow("does not fit");
  });
});
