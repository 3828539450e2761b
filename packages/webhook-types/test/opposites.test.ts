import { expect, test } from "vitest";
import { eventTypes, fieldOf, signedRequest, type WebhookEvent } from "../src/index.ts";
import { createReceiver, noStore } from "../src/receiver/index.ts";

// Deliveries that do the opposite of a guess about more than one field: each is handled unchanged, and reported as drift.

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
    does: "sends the time of a departure in seconds, and no object",
    type: "subscription.line.removal_scheduled",
    data: { departs_at: 1_797_724_800 },
    drift: ["data.object", "data.departs_at"],
    fields: { departs_at: 1_797_724_800 },
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
    does: "sends metadata as a list",
    type: "sim.synced",
    data: { object: { id: "sim_1", metadata: [["k", "v"]] } },
    drift: ["data.object.metadata"],
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
