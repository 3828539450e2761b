import { DatabaseSync } from "node:sqlite";
import express from "express";
import { Hono } from "hono";
import { afterEach, describe, expect, test, vi } from "vitest";
import { toExpressHandler, toHonoHandler, toLambdaHandler } from "../src/adapters/index.ts";
import { signedRequest } from "../src/index.ts";
import {
  createReceiver,
  handleEvent,
  memoryOrder,
  memoryPoison,
  memoryStore,
  type DeliveryReport,
  type ReceiverOptions,
  type TenantRequest,
  type TenantSecrets,
} from "../src/receiver/index.ts";
import { createEventRouter } from "../src/router/index.ts";
import { sampleEvent } from "../src/samples.ts";
import { sqliteInbox } from "../src/stores/index.ts";
import { frameworks, listen } from "./frameworks.ts";

const SECRETS: Readonly<Record<string, string>> = { a: "whsec_of_a", b: "whsec_of_b" };
const tenantOf = ({ url }: TenantRequest) => /^\/hooks\/([^/?]+)/.exec(url)?.[1];
const event = (overrides: object = {}) => sampleEvent("plan.updated", overrides);
const toTenant = (tenant: string, secret = SECRETS[tenant] ?? "whsec_of_none", signed = event()) =>
  signedRequest(signed, { url: `http://127.0.0.1/hooks/${tenant}`, secret });

afterEach(() => void vi.useRealTimers());

/** A receiver for two tenants, and what happens in it. */
function twoTenants(options: Partial<ReceiverOptions> & { secret?: TenantSecrets } = {}) {
  const asked: string[] = [];
  const handled: string[] = [];
  const reports: DeliveryReport[] = [];
  const errors: unknown[] = [];
  const receive = createReceiver({
    secret: {
      tenantOf,
      secretsOf: (tenant) => {
        asked.push(tenant);
        return SECRETS[tenant];
      },
    },
    store: memoryStore(),
    handlers: {
      "*": ({ id }, { tenant, idempotencyKey }) =>
        void handled.push(`${tenant} ${id} ${idempotencyKey}`),
    },
    onOutcome: (report) => reports.push(report),
    onError: (error) => errors.push(error),
    ...options,
  });
  const deliver = async (request: Request | Promise<Request>): Promise<string> => {
    const response = await receive(await request);
    return `${response.status} ${await response.text()}`;
  };
  return { receive, deliver, asked, handled, reports, errors };
}

test("the signed event of one tenant is rejected with 401 at another one", async () => {
  const { deliver, asked, handled, errors } = twoTenants();
  expect(await deliver(toTenant("b", SECRETS["a"]))).toBe("401 not_verified");
  expect([asked, handled, errors]).toEqual([["b"], [], []]);
  expect(await deliver(toTenant("a"))).toBe("200 handled");
});

test("the context and the keys contain the tenant, so that equal ids do not collide", async () => {
  const order = memoryOrder();
  const { deliver, handled } = twoTenants({ order });
  const at = (created_at: string, id: string) =>
    event({ id, created_at, data: { object: { id: "plan_1" } } });
  const [older, newer] = ["2026-01-01T00:00:00Z", "2026-01-02T00:00:00Z"];
  const send = (tenant: string, created_at: string, id: string) =>
    deliver(toTenant(tenant, SECRETS[tenant], at(created_at, id)));
  expect(await send("a", newer, "evt_1")).toBe("200 handled");
  expect(await send("a", newer, "evt_1")).toBe("200 duplicate");
  expect(await send("b", older, "evt_1")).toBe("200 handled");
  expect(await send("a", older, "evt_2")).toBe("200 superseded");
  expect(handled).toEqual(["a evt_1 a/evt_1", "b evt_1 b/evt_1"]);
});

test("no id of one tenant is a key of another one", async () => {
  const secrets = { "x/y": "whsec_of_xy", x: "whsec_of_x" };
  const { deliver, handled } = twoTenants({
    secret: {
      tenantOf: ({ headers }) => headers.get("X-Tenant") ?? undefined,
      secretsOf: (tenant) => secrets[tenant as keyof typeof secrets],
    },
  });
  const send = async (tenant: keyof typeof secrets, id: string) => {
    const request = await toTenant("any", secrets[tenant], event({ id }));
    request.headers.set("x-tenant", tenant);
    return deliver(request);
  };
  expect(await send("x", "y/evt_1")).toBe("200 handled");
  expect(await send("x/y", "evt_1")).toBe("200 handled");
  expect(handled).toEqual(["x y/evt_1 x/y/evt_1", "x/y evt_1 x%2Fy/evt_1"]);
});

test.each([undefined, "", "x".repeat(201), "\uD800"])(
  "the tenant %j is a 401, and neither a secret nor the body is read",
  async (tenant) => {
    const warn = vi.spyOn(console, "warn").mockReturnValue();
    const askNobody = vi.fn(() => "whsec_of_none");
    const { receive } = twoTenants({
      secret: { tenantOf: () => tenant, secretsOf: askNobody },
      onOutcome: undefined as never,
    });
    const body = vi.fn();
    const { headers } = await toTenant("a");
    const response = await receive.receive({ method: "POST", url: "/", headers, body });
    expect(response).toMatchObject({ status: 401, body: "not_verified" });
    expect(askNobody).not.toHaveBeenCalled();
    expect(body).not.toHaveBeenCalled();
    expect(warn.mock.calls.join()).toContain("tenantOf returned no tenant");
    warn.mockRestore();
  },
);

test.each([
  ["returns a promise", async () => "a", /tenantOf must return a string, or undefined/],
  ["returns a number", () => 7, /It returned a number/],
])("a tenantOf that %s is a 500, and onError says why", async (_name, broken, message) => {
  const { deliver, errors } = twoTenants({
    secret: { tenantOf: broken as never, secretsOf: () => "whsec_of_none" },
  });
  expect(await deliver(toTenant("a"))).toBe("500 unreadable");
  expect(String(errors)).toMatch(message);
});

describe("the secrets of a tenant", () => {
  test("are asked for once, and again after a wrong signature, at most every 10 s for each tenant", async () => {
    let now = Date.parse("2026-11-20T08:00:00Z");
    const clock = { now: () => now, sleep: async () => {} };
    const { deliver, asked } = twoTenants({ clock });
    const forged = async () =>
      deliver(
        signedRequest(event(), {
          url: "http://127.0.0.1/hooks/a",
          secret: "whsec_forged",
          timestamp: Math.floor(now / 1_000),
        }),
      );
    for (let times = 0; times < 5; times += 1) expect(await forged()).toBe("401 not_verified");
    expect(asked).toEqual(["a"]);
    now += 10_000;
    for (let times = 0; times < 5; times += 1) await forged();
    expect(asked).toEqual(["a", "a"]);
  });

  test("may be several, and may hang for 10 s without blocking another tenant", async () => {
    vi.useFakeTimers({ toFake: ["setTimeout", "clearTimeout"] });
    const { deliver, asked, errors } = twoTenants({
      secret: {
        tenantOf,
        secretsOf: (tenant) => {
          asked.push(tenant);
          return tenant === "a" ? new Promise<never>(() => {}) : ["whsec_next", "whsec_of_b"];
        },
      },
    });
    const hanging = [deliver(toTenant("a")), deliver(toTenant("a"))];
    expect(await deliver(toTenant("b"))).toBe("200 handled");
    await vi.advanceTimersByTimeAsync(10_000);
    expect(await Promise.all(hanging)).toEqual(["500 unreadable", "500 unreadable"]);
    expect(asked).toEqual(["a", "b"]);
    expect(String(errors[0])).toContain("did not settle within 10 s");
  });
});

test("an event that was set aside is run again for its tenant", async () => {
  const poison = { store: memoryPoison({ payload: "withoutSecrets" as const }), attempts: 1 };
  const seen: unknown[] = [];
  const { receive, deliver } = twoTenants({
    poison,
    handlers: {
      "*": (_event, { tenant }) => {
        seen.push(tenant);
        if (seen.length === 1) throw new Error("not yet");
      },
    },
  });
  expect(await deliver(toTenant("a"))).toBe("200 set_aside");
  const [listed] = await poison.store.list();
  expect(listed?.id).toBe(`a/${event().id}`);
  expect(await receive.runAgain(`a/${event().id}`)).toEqual({ outcome: "handled" });
  expect(seen).toEqual(["a", "a"]);
  expect(await deliver(toTenant("a"))).toBe("200 duplicate");
});

test("handleEvent has the keys of a receiver for the same tenant", async () => {
  const store = memoryStore();
  const { deliver } = twoTenants({ store });
  const seen: unknown[] = [];
  const router = createEventRouter({ "*": (_event, { tenant }) => void seen.push(tenant) });
  expect(await deliver(toTenant("a"))).toBe("200 handled");
  const handle = (tenant: string) => handleEvent(event(), { router, store, tenant });
  expect(await handle("a")).toEqual({ outcome: "duplicate" });
  expect(await handle("b")).toEqual({ outcome: "handled" });
  expect(seen).toEqual(["b"]);
  await expect(handle("")).rejects.toThrow("tenant must be a string that is not empty");
});

test("an incomplete object, and secrets beside it, are TypeErrors when the receiver is created", () => {
  const options = { store: memoryStore(), handlers: {} };
  expect(() => createReceiver({ ...options, secret: { tenantOf } as never })).toThrow(
    "secret must be a string, a Secret, a function, or { tenantOf, secretsOf }",
  );
  const secret = { tenantOf, secretsOf: () => undefined };
  expect(() => createReceiver({ ...options, secret, secrets: ["whsec_test"] })).toThrow(
    "Pass either secret: { tenantOf, secretsOf } or secrets",
  );
  expect(() => createReceiver({ ...options, secret, tolerance: -1 })).toThrow("tolerance");
});

test("tenantOf sees an empty string where a message has no URL", async () => {
  const seen: unknown[] = [];
  const see = ({ method, url }: TenantRequest): undefined => void seen.push({ method, url });
  const receive = createReceiver({
    secret: { tenantOf: see, secretsOf: () => "whsec_of_a" },
    store: memoryStore(),
    handlers: {},
    onOutcome: () => {},
  });
  const headers = { "platform-signature": "t=1,v1=00" };
  await receive.receive({ method: "POST", headers, body: "{}" } as never);
  expect(seen).toEqual([{ method: "POST", url: "" }]);
});

test("handlers in an inbox receive the tenant of the delivery", async () => {
  const database = new DatabaseSync(":memory:");
  const { deliver, handled } = twoTenants({ store: sqliteInbox(database) });
  expect(await deliver(toTenant("a"))).toBe("200 handled");
  expect(handled).toEqual([`a ${event().id} a/${event().id}`]);
  database.close();
});

describe("tenantOf sees the path and the query", () => {
  const headers = { "x-name": "value", "platform-signature": "t=1,v1=00" };
  const seen: TenantRequest[] = [];
  const { receive } = twoTenants({
    secret: {
      tenantOf: (request) => void seen.push(request),
      secretsOf: () => undefined,
    },
  });
  const expectSeen = (url = "/hooks/a?x=1"): void => {
    expect(seen).toHaveLength(1);
    const [request] = seen.splice(0);
    expect([request?.method, request?.url]).toEqual(["POST", url]);
    expect([request?.headers.get("X-Name"), request?.headers.get("x-other")]).toEqual([
      "value",
      null,
    ]);
    expect(Object.keys(request ?? {})).not.toContain("body");
  };

  test.each(Object.entries(frameworks))("of %s", async (_name, start) => {
    await fetch(`${await start(receive)}?x=1`, { method: "POST", body: "{}", headers });
    expectSeen("/hooks?x=1");
  });

  test("of a mounted router of Express", async () => {
    const router = express.Router();
    router.post("/", toExpressHandler(receive));
    const url = await listen(express().use("/hooks", router));
    await fetch(`${url}?x=1`, { method: "POST", body: "{}", headers });
    expectSeen("/hooks?x=1");
  });

  test("of Hono and every Request", async () => {
    const app = new Hono().post("/hooks/a", toHonoHandler(receive));
    await app.request("/hooks/a?x=1", { method: "POST", headers });
    expectSeen();
  });

  test.each([
    [
      "2",
      {
        rawPath: "/hooks/a",
        rawQueryString: "x=1",
        requestContext: { http: { method: "POST" } },
      },
    ],
    ["1", { path: "/hooks/a", httpMethod: "POST", queryStringParameters: { x: "1" } }],
    [
      "1 with lists",
      { path: "/hooks/a", httpMethod: "POST", multiValueQueryStringParameters: { x: ["1"] } },
    ],
  ])("of Lambda, version %s", async (_version, message) => {
    const { statusCode } = await toLambdaHandler(receive)({
      ...message,
      headers,
    });
    expect(statusCode).toBe(401);
    expectSeen();
  });
});
