import { afterEach, beforeEach, describe, expect, test, vi } from "vitest";
import * as z from "zod";
import { stringifyJson } from "@fieldmesh/core";
import { fieldOf, setDefaultValidation, signedRequest } from "../src/index.ts";
import { createEventParser, parseEvent, type EventDrift } from "../src/parse/index.ts";
import { createReceiver, noStore, type ReceiverOptions } from "../src/receiver/index.ts";

const wire = {
  id: "evt_1",
  type: "sim.boost_reduced",
  created_at: "2026-11-20T08:30:00Z",
  livemode: false,
  data: { object: { id: "sim_1", boost_mb: "4096", boost_mb_removed: 1_024 } },
  idempotency_key: "idem_1",
};
const wrong = { ...wire, type: "payment_method.updated", data: { object: { id: "pm_1" } } };
const problems = [{ path: "data.object.boost_mb", message: "expected number" }];
let drift: EventDrift[] = [];
const onDrift = (each: EventDrift) => drift.push(each);

beforeEach(() => (drift = []));
afterEach(() => {
  setDefaultValidation(undefined);
  vi.restoreAllMocks();
});

describe("an event that has drifted", () => {
  test("names the places in `drift`, which is not a part of the event", () => {
    const event = parseEvent(wire, { onDrift });
    expect(event.drift).toEqual(problems);
    expect(drift).toEqual([{ event: { id: "evt_1", type: wire.type }, problems }]);
    expect(Object.keys(event)).toEqual(Object.keys(wire));
    expect(JSON.parse(stringifyJson(event))).toEqual(wire);
    expect(parseEvent({ ...wire, type: "sim.synced" }).drift).toEqual([
      { path: "data.object.boost_mb", message: "expected number" },
    ]);
  });

  test("has no `drift` if it fits the schema, and keeps its own field of that name", () => {
    const object = { boost_mb: 1, boost_mb_removed: 1 };
    expect("drift" in parseEvent({ ...wire, data: { object } })).toBe(false);
    expect(parseEvent({ ...wire, drift: "north" }, { onDrift }).drift).toBe("north");
    expect(drift).toHaveLength(1);
  });

  test("is reported with console.warn without onDrift, once for each type and place, without values", () => {
    const warn = vi.spyOn(console, "warn").mockReturnValue();
    const odd = { ...wire, type: "sim.boosted", data: { object: { msisdn: ["+12025550143"] } } };
    for (const _ of Array.from({ length: 3 })) parseEvent(odd);
    parseEvent({ ...odd, data: { object: { msisdn: 7, state: 7 } } });
    const lines = warn.mock.calls.map(([line]) => String(line));
    expect(lines).toEqual([
      expect.stringContaining("sim.boosted: data.object.msisdn: expected string."),
      expect.stringContaining("sim.boosted: data.object.state: expected string."),
    ]);
    expect(lines.join()).not.toContain("2025550143");
  });
});

describe("validation", () => {
  test("is warn by default: a contradiction is drift, an invalid envelope is an error", () => {
    expect(parseEvent(wrong, { onDrift }).drift).toEqual([
      { path: "data.previous_attributes", message: "expected object" },
    ]);
    for (const field of ["id", "created_at", "livemode", "idempotency_key", "data"] as const)
      expect(() => parseEvent({ ...wire, [field]: null }, { onDrift })).toThrow(`${field}: expect`);
  });

  test("strict rejects a contradiction and names only that: a difference from a guess is drift", () => {
    const strict = { validation: "strict", onDrift } as const;
    const both = { ...wrong, data: { object: { id: 7 } } };
    expect(() => parseEvent(both, strict)).toThrow(
      "Cannot parse payment_method.updated: data.previous_attributes: expected object.",
    );
    expect(drift).toEqual([]);
    expect(parseEvent(wire, strict).drift).toEqual(problems);
    expect(drift).toHaveLength(1);
  });

  test("off reports nothing, and requires only id, type and data", () => {
    const warn = vi.spyOn(console, "warn").mockReturnValue();
    const off = { validation: "off", onDrift } as const;
    expect(parseEvent(wrong, off)).toEqual(wrong);
    const bare = { id: "evt_1", type: "sim.synced", created_at: 7, data: {} };
    expect(parseEvent(bare, off)).toEqual(bare);
    for (const field of ["id", "type", "data"] as const)
      expect(() => parseEvent({ ...wire, [field]: null }, off)).toThrow(`${field}: expect`);
    expect(() => parseEvent([], off)).toThrow("expected object");
    expect([drift, warn.mock.calls]).toEqual([[], []]);
  });

  test("follows the default of the process, which an option overrides", () => {
    setDefaultValidation("strict");
    expect(() => parseEvent(wrong)).toThrow("previous_attributes");
    expect(parseEvent(wrong, { validation: "warn", onDrift }).id).toBe("evt_1");
    setDefaultValidation("off");
    expect(parseEvent(wrong, { onDrift }).drift).toBeUndefined();
    expect(drift).toHaveLength(1);
  });
});

describe("a caller's schema", () => {
  const Boost = z.object({ boost_mb: z.string(), boost_mb_removed: z.number() });

  test("replaces the built-in one: an accepted payload has no drift, in any mode", () => {
    const parse = createEventParser({ "sim.boost_reduced": Boost });
    for (const validation of ["strict", "warn", "off"] as const) {
      const event = parse(wire, { validation, onDrift });
      expect(event.data).toEqual({ object: { boost_mb: "4096", boost_mb_removed: 1_024 } });
      expect(event.drift).toBeUndefined();
    }
    expect(drift).toEqual([]);
  });

  test("does not affect the fields next to the object, and receives what was sent", () => {
    const seen: unknown[] = [];
    const schema = z.unknown().transform((object) => void seen.push(object));
    const parse = createEventParser({ "sim.activated": schema }, { onDrift });
    const object = { state: 7, activation_code: "LPA:1$x" };
    parse({ ...wire, type: "sim.activated", data: { object, imported: 1 } });
    expect(drift.flatMap((each) => each.problems.map(({ path }) => path))).toEqual([
      "data.imported",
    ]);
    expect(seen).toEqual([object]);
  });

  test("rejects in each mode", () => {
    const parse = createEventParser({
      "sim.boost_reduced": Boost.extend({ boost_mb: z.number() }),
    });
    for (const validation of ["strict", "warn", "off"] as const)
      expect(() => parse(wire, { validation })).toThrow("does not fit the schema");
  });
});

describe("a receiver", () => {
  const statusOf = async (options: Partial<ReceiverOptions>, body: object = wrong) => {
    const delivery = await signedRequest(body, { url: "http://127.0.0.1/", secret: "whsec_test" });
    return (await receiverOf(options)(delivery)).status;
  };

  test("accepts a payload that has drifted, and rejects a contradiction under strict", async () => {
    expect(await statusOf({ onDrift })).toBe(200);
    expect(drift).toHaveLength(1);
    expect(await statusOf({ validation: "strict" })).toBe(400);
    expect(await statusOf({ validation: "off", onDrift })).toBe(200);
    expect(drift).toHaveLength(1);
  });

  test("uses the mode of its parser unless it has its own", async () => {
    const parse = createEventParser({}, { validation: "strict", onDrift });
    expect(await statusOf({ parse })).toBe(400);
    expect(await statusOf({ parse, validation: "warn" })).toBe(200);
    expect(drift).toHaveLength(1);
  });
});

test("fieldOf reads the object first, and then the fields next to it", () => {
  const event = parseEvent(
    { ...wire, data: { object: { a: 1, b: null }, a: 2, b: 2, c: 3 } },
    { onDrift },
  );
  const names = ["a", "b", "c", "d"] as const;
  expect(names.map((name) => fieldOf(event as never, name as never))).toEqual([
    1,
    null,
    3,
    undefined,
  ]);
});

function receiverOf(options: Partial<ReceiverOptions>) {
  return createReceiver({
    secret: "whsec_test",
    store: noStore(),
    handlers: {},
    onError: () => {},
    ...options,
  });
}
