import { describe, expect, test } from "vitest";
import { sampleEvent, testContext } from "../src/samples/index.ts";
import { createVerifier, eventTypes, signedRequest } from "../src/index.ts";
import { parseEvent } from "../src/parse/index.ts";
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

test("an override may be a Secret, such as one of another event", () => {
  const { code } = sampleEvent("cpni.verification.requested").data.object;
  const event = sampleEvent("cpni.verification.requested", {
    data: { object: { code: code as never, id: "cpv_2" } },
  });
  expect(event.data.object.code?.reveal()).toBe(code?.reveal());
});

test("overrides that contradict the type are rejected", () => {
  expect(() =>
    sampleEvent("invoice.document_ready", { data: { object: { document_url: undefined } } }),
  ).toThrow("data.object.document_url");
});

test("a sample shows the fields that its handlers read", () => {
  const stock = sampleEvent("sim_inventory.low_stock").data.object;
  expect(stock).toEqual({ available: 25, threshold: 25 });
});

test("a type that does not exist is rejected, with a suggestion", () => {
  for (const type of ["sim.activatd", "constructor", undefined])
    expect(() => sampleEvent(type as "sim.activated")).toThrow(
      `${JSON.stringify(type)} is not an event type`,
    );
  expect(() => sampleEvent("sim.activatd" as "sim.activated")).toThrow('mean "sim.activated"?');
});

test.each(eventTypes)("%s is unchanged after it is signed, verified and parsed", async (type) => {
  const secret = "whsec_test";
  const request = await signedRequest(sampleEvent(type), { url: "http://127.0.0.1/hooks", secret });
  const { body } = await createVerifier({ secret })({
    body: await request.text(),
    headers: request.headers,
  });
  expect(parseEvent(body)).toEqual(sampleEvent(type));
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
