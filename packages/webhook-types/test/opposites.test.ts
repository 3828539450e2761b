import { expect, test } from "vitest";
import { eventTypes, fieldOf, signedRequest, type WebhookEvent } from "../src/index.ts";
import { createReceiver, noStore } from "../src/receiver/index.ts";

// For each guess of this package, a delivery that does the opposite: it is handled unchanged, and reported as drift.

const secret = "whsec_test";

interface Row {
  /** What the service does, in words. */
  readonly does: string;
  readonly type: string;
  readonly data: object;
  /** The paths that the drift names. */
  readonly drift: readonly string[];
  /** Fields that `fieldOf` reads from any place. */
  readonly fields?: Readonly<Record<string, unknown>>;
}

const rows: readonly Row[] = [
  {
    does: "puts the reason of a removal next to the object",
    type: "subscription.line_removed",
    data: { object: { id: "subn_1" }, reason: "port_out" },
    drift: [],
    fields: { reason: "port_out" },
  },
  {
    does: "sends the reason of a removal as a number",
    type: "subscription.line_removed",
    data: { object: { id: "subn_1", reason: 3 } },
    drift: ["data.object.reason"],
    fields: { reason: 3 },
  },
  {
    does: "sends the time of a departure in seconds, and no object",
    type: "subscription.line.removal_scheduled",
    data: { departs_at: 1_797_724_800 },
    drift: ["data.object", "data.departs_at"],
    fields: { departs_at: 1_797_724_800 },
  },
  {
    does: "sends a renewal as a list of seats next to the object",
    type: "subscription.renewal_upcoming",
    data: { object: { id: "subn_1" }, subscription_renewal: [{ seat: 1 }] },
    drift: ["data.subscription_renewal"],
    fields: { subscription_renewal: [{ seat: 1 }] },
  },
  {
    does: "sends the count of low stock as a string, next to the object",
    type: "sim_inventory.low_stock",
    data: { object: {}, available: "25", threshold: "25" },
    drift: ["data.available", "data.threshold"],
    fields: { available: "25", threshold: "25" },
  },
  {
    does: "sends the whole screening as data",
    type: "fraud.evaluated",
    data: {
      decision: "deny",
      score: 97,
      reasons: [],
      mode: "enforce",
      subject: { email: "a@b.c" },
    },
    drift: ["data.object"],
    fields: { decision: "deny", score: 97, subject: { email: "a@b.c" } },
  },
  {
    does: "sends the score as a string, and one reason that is not in a list",
    type: "fraud.evaluated",
    data: {
      object: { decision: "deny", score: "97", reasons: "new", mode: "enforce", subject: "a@b.c" },
    },
    drift: ["data.object.score", "data.object.reasons", "data.object.subject"],
    fields: { score: "97", reasons: "new" },
  },
  {
    does: "sends metadata as a list",
    type: "sim.synced",
    data: { object: { id: "sim_1", metadata: [["k", "v"]] } },
    drift: ["data.object.metadata"],
  },
  {
    does: "sends a reassigned line without a holder, and with a status that is not a string",
    type: "sim.reassigned",
    data: {
      object: { id: "sim_1", subscriber_id: "sub_1", subscription_id: 7, subscription_status: 1 },
      previous_attributes: {},
    },
    drift: [
      "data.object.holder_subscriber_id",
      "data.object.subscription_id",
      "data.object.subscription_line_id",
      "data.object.external_subscriber_id",
      "data.object.subscription_status",
      "data.previous_attributes.subscriber_id",
      "data.previous_attributes.subscription_id",
      "data.previous_attributes.subscription_line_id",
      "data.previous_attributes.subscription_status",
    ],
  },
  {
    does: "sends the count of an import, and numbers as its objects",
    type: "subscription.created",
    data: { object: { id: 7, status: "active" }, imported: 12, previous_attributes: null },
    drift: ["data.object.id", "data.previous_attributes", "data.imported"],
  },
  {
    does: "adds a type with a new form of payload",
    type: "drone.landed",
    data: { object: null, previous_attributes: 7 },
    drift: [],
  },
];

/** Delivers to a receiver. Returns the response, the event that its handler received, and the drift. */
async function deliver({ type, data }: Pick<Row, "type" | "data">, validation?: "strict" | "off") {
  const events: WebhookEvent[] = [];
  const drift: string[] = [];
  const receive = createReceiver({
    secret,
    store: noStore(),
    handlers: { "*": (event) => events.push(event as WebhookEvent) },
    onError: () => {},
    validation,
    onDrift: ({ event, problems }) => {
      expect(event).toEqual({ id: "evt_1", type });
      drift.push(...problems.map(({ path }) => path));
    },
  });
  const envelope = { id: "evt_1", created_at: "2026-11-20T08:30:00Z", livemode: false };
  const body = { ...envelope, type, data, idempotency_key: "idem_1" };
  const { status } = await receive(await signedRequest(body, { url: "http://127.0.0.1/", secret }));
  return { status, event: events[0], drift };
}

// All packages together have at least forty: the other packages have such a test too.
test("there are at least ten opposites", () => {
  expect(rows.length).toBeGreaterThanOrEqual(10);
});

test.each(rows)("the receiver handles an event of a service that $does", async (row) => {
  for (const mode of [undefined, "strict"] as const) {
    const { status, event, drift } = await deliver(row, mode);
    expect([status, drift]).toEqual([200, row.drift]);
    expect(event?.data).toEqual(row.data);
    expect(event?.drift?.map(({ path }) => path) ?? []).toEqual(row.drift);
    const fields = Object.entries(row.fields ?? {});
    for (const [name, value] of fields) expect(fieldOf(event!, name as "id")).toEqual(value);
  }
  const { status, event, drift } = await deliver(row, "off");
  expect([status, event?.data, event?.drift, drift]).toEqual([200, row.data, undefined, []]);
});

test("no type is rejected because its payload contains only an unexpected object", async () => {
  for (const type of eventTypes)
    for (const object of [{}, { id: null }, { id: 7, status: [], reason: {}, metadata: "m" }])
      expect((await deliver({ type, data: { object } })).status).toBe(200);
});
