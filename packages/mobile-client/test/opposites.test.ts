import { inspect } from "node:util";
import { describe, expect, test } from "vitest";
import { everythingPrinted, everyHook } from "../../../tools/canaries/canaries.ts";
import { sendJson, startHttp } from "../../../tools/testing/http-server.ts";
import { events as samples } from "../src/samples.ts";
import { createMobileClient, type MobileClient, type MobileClientOptions } from "../src/index.ts";

// Servers that do the opposite of a guess about more than one field: the call succeeds, and nothing is carried out twice.

const apiKey = "sk_sandbox_x";
const [stored] = samples.list.output.data;
const quick = { apiKey, retry: { baseDelay: 1, maxDelay: 2 } };

interface Row {
  /** What the deployment does, for the title of the test. */
  readonly does: string;
  readonly call: (client: MobileClient) => Promise<unknown>;
  /** The body that is sent. */
  readonly sends?: unknown;
  readonly response?: unknown;
  /** @default 200 */
  readonly status?: number;
  /** What the method resolves to. @default the response */
  readonly output?: unknown;
  readonly drift?: readonly string[];
}

const rows: readonly Row[] = [
  {
    does: "creates a subscriber from only a phone number",
    call: ({ subscribers }) => subscribers.create({ phone: "+12025550143" }),
    sends: { phone: "+12025550143" },
    response: { id: "sub_1" },
  },
  {
    does: "creates a group subscription from members",
    call: ({ subscriptions }) =>
      subscriptions.create({ payer_id: "sub_1", lines: [{ member: "sub_2", plan: "p" }] }),
    sends: { payer_id: "sub_1", lines: [{ member: "sub_2", plan: "p" }] },
    response: { subscription: { id: "subn_1" } },
  },
  {
    does: "credits an amount with a currency",
    call: ({ balanceCredits }) =>
      balanceCredits.create({ id: "sub_1", amount_cents: 500, currency: "USD" }),
    sends: { amount_cents: 500, currency: "USD" },
    response: { id: "cred_1" },
  },
  {
    does: "writes money as a record, and fractions of a cent",
    call: ({ balanceCredits }) =>
      balanceCredits.create({ id: "sub_1", amount: { value: "5.00" }, amount_cents: 0.5 }),
    sends: { amount: { value: "5.00" }, amount_cents: 0.5 },
    response: [],
    output: undefined,
    drift: [""],
  },
  {
    does: "screens a request without a subject",
    call: ({ fraudDecisions }) => fraudDecisions.create({ ip: "192.0.2.1", kind: "signup" }),
    sends: { ip: "192.0.2.1", kind: "signup" },
    response: { decision: 1, score: "low", reasons: "none" },
    drift: ["decision", "score", "reasons"],
  },
  {
    does: "responds to a deletion with 204",
    call: ({ subscribers }) => subscribers.delete({ id: "sub_1" }),
    status: 204,
  },
  {
    does: "lists its event types as strings",
    call: ({ eventTypes }) => eventTypes.list(),
    response: ["sim.activated"],
    output: [{ type: "sim.activated" }],
  },
  {
    does: "returns its stored events as a bare list",
    call: ({ events }) => events.list().toArray({ limit: 9 }),
    response: [stored],
    drift: [""],
  },
];

test.each(rows)("the client works with a deployment that $does", async (row) => {
  const drift: string[] = [];
  await using server = await startHttp((_, response) =>
    sendJson(response, row.response, row.status),
  );
  const client = createMobileClient({
    baseUrl: server.baseUrl,
    ...quick,
    onDrift: ({ problems }) => drift.push(...problems.map(({ path }) => path)),
  });
  expect(await row.call(client)).toEqual("output" in row ? row.output : row.response);
  expect(drift).toEqual(row.drift ?? []);
  expect(server.received).toHaveLength(1);
  if (row.sends !== undefined) expect(JSON.parse(server.received[0]!.body)).toEqual(row.sends);
});

describe("observedRules: true", () => {
  test.each<[string, (client: MobileClient) => Promise<unknown>]>([
    ["a subscriber without a name", ({ subscribers }) => subscribers.create({ email: "a@b.c" })],
    [
      "a subscription without a plan",
      ({ subscriptions }) => subscriptions.create({ subscriber_id: "s" }),
    ],
  ])("rejects %s, and says how to turn the rule off", async (_what, call) => {
    const client = createMobileClient({
      baseUrl: "http://127.0.0.1:9",
      apiKey,
      observedRules: true,
    });
    await expect(call(client)).rejects.toMatchObject({
      name: "InputError",
      message: expect.stringContaining("`observedRules: false` turns this off"),
    });
  });
});

test("hooks and errors show no personal data of any field", async () => {
  const person = "Ada Canary Lovelace";
  const extra = { who: person, notes: [{ said: person }], metadata: { of: person } };
  const seen: unknown[] = [];
  const options = (fail: boolean): MobileClientOptions => ({
    baseUrl: "https://mobile.test",
    ...quick,
    hooks: everyHook((_, event) => seen.push(event)),
    onDrift: (drift) => seen.push(drift),
    fetch: async (url) =>
      Response.json(
        url.endsWith("/events")
          ? [{ id: "evt_1", type: "plan.created", data: { object: extra } }]
          : { id: "x", ...extra, detail: person },
        { status: fail ? 422 : 201 },
      ),
  });
  for (const fail of [false, true]) {
    const client = createMobileClient(options(fail));
    for (const call of [
      client.subscribers.create(extra),
      client.subscriptions.create(extra),
      client.balanceCredits.create({ id: "sub_1", amount_cents: 1, ...extra }),
      client.fraudDecisions.create(extra),
      client.events.list().page(),
    ])
      await call.catch((error: unknown) => seen.push(error));
  }
  expect(seen.length).toBeGreaterThan(16);
  expect(everythingPrinted(seen)).not.toContain("Canary");
  expect(inspect(seen, { depth: 20 })).not.toContain("Canary");
});
