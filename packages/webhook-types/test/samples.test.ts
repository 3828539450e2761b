import { dataSamples } from "../src/events/samples/generated/data-samples.ts";
import { describe, expect, test } from "vitest";
import { sampleEvent, testContext } from "../src/samples.ts";
import { eventTypes, signedRequest } from "../src/index.ts";
import { createReceiver, noStore } from "../src/receiver/index.ts";

test("overrides are merged deeply; undefined removes a field; a secret may be a string", () => {
  const event = sampleEvent("cpni.verification.requested", {
    id: "evt_2",
    data: { object: { code: "000000", agent: { user_id: "usr_2" } } },
  });
  expect(event.id).toBe("evt_2");
  expect(event.data.object.code?.reveal()).toBe("000000");
  expect(event.data.object.agent).toEqual({ user_id: "usr_2", email: "grace@support.example.com" });
  const stored = sampleEvent("cpni.verification.requested", {
    data: { object: { code: undefined } },
  });
  expect(stored.data.object).not.toHaveProperty("code");
});

test("the same arguments create equal events, which share no objects", () => {
  const [a, b] = [sampleEvent("sim.activated"), sampleEvent("sim.activated")];
  expect(a).toEqual(b);
  a.data.object.state = "changed";
  expect(sampleEvent("sim.activated")).toEqual(b);
});

test("overrides that contradict the type are rejected", () => {
  expect(() =>
    sampleEvent("invoice.document_ready", { data: { object: { document_url: undefined } } }),
  ).toThrow("data.object.document_url");
});

test("overrides that say what the spec excludes are drift", () => {
  const { id, drift } = sampleEvent("subscription.paused", {
    id: "1",
    data: { object: { status: "active" } },
  });
  expect([id, drift]).toEqual([
    "1",
    [
      { path: "data.object.status", message: "expected paused" },
      { path: "id", message: "expected evt_…" },
    ],
  ]);
});

test("a type that does not exist is rejected, with a suggestion", () => {
  for (const type of ["sim.activatd", "constructor", undefined])
    expect(() => sampleEvent(type as "sim.activated")).toThrow(
      `${JSON.stringify(type)} is not an event type`,
    );
  expect(() => sampleEvent("sim.activatd" as "sim.activated")).toThrow('mean "sim.activated"?');
});

describe("testContext", () => {
  test("is the context of a first delivery of a sample, and never aborts", () => {
    const { signal, ...context } = testContext();
    expect(signal.aborted).toBe(false);
    expect(testContext().signal).not.toBe(signal);
    const event = sampleEvent("plan.created");
    expect(context).toEqual({
      idempotencyKey: event.id,
      attempt: 1,
      delivery: {
        signedAt: Date.parse(event.created_at) / 1_000,
        secretIndex: 0,
        messageId: undefined,
      },
    });
  });

  test("has the same fields as the context of a receiver", async () => {
    let passed: object = {};
    const secret = "whsec_test";
    const receive = createReceiver({
      secret,
      store: noStore(),
      tolerance: Number.POSITIVE_INFINITY,
      handlers: { "*": (_event, context) => void (passed = context) },
    });
    const url = "http://127.0.0.1/";
    const timestamp = testContext().delivery?.signedAt;
    await receive(await signedRequest(sampleEvent("plan.created"), { url, secret, timestamp }));
    expect(passed).toEqual({ ...testContext(), signal: expect.any(AbortSignal) });
  });

  test("accepts overrides, also for a stored event without a delivery", () => {
    const signal = AbortSignal.abort();
    expect(testContext({ attempt: 3, delivery: undefined, signal })).toMatchObject({
      attempt: 3,
      delivery: undefined,
      signal,
    });
    expect(() => testContext({ atempt: 3 } as object)).toThrow('"attempt"');
  });
});

// Their records have no id, or the spec does not show one.
const WITHOUT_ID =
  /^(usage|fraud|event|referral\.reward)\.|^(invoice\.upcoming|sim_inventory\.low_stock)$/;
const families = new Map<string, string>();

describe.each(eventTypes)("the sample of %s", (type) => {
  const data = dataSamples[type] as { object: { id?: string }; previous_attributes?: object };

  test("has no drift", () => {
    expect(sampleEvent(type).drift).toBeUndefined();
  });

  test("has no empty strings", () => {
    expect(emptyStrings(data)).toEqual([]);
  });

  test("has the id of a record of its family", () => {
    const { id } = data.object;
    if (WITHOUT_ID.test(type)) return expect(id).toBeUndefined();
    expect(id).toMatch(/^[a-z]+_\w{6,}$/);
    const [prefix = ""] = id!.split("_");
    // The earlier catalog had a separate family for these.
    const family = type.split(".")[0]!.replace("port_out", "port");
    expect(families.get(prefix) ?? family).toBe(family);
    families.set(prefix, family);
  });

  test("has only earlier values that its record no longer has", () => {
    const { object, previous_attributes: previous } = data;
    if (previous !== undefined) expect(object).not.toMatchObject(previous);
    if (previous !== undefined) expect(previous).not.toEqual({});
  });
});

function emptyStrings(value: unknown, place = ""): string[] {
  if (value === "") return [place];
  if (typeof value !== "object" || value === null) return [];
  return Object.entries(value).flatMap(([key, child]) => emptyStrings(child, `${place}.${key}`));
}
