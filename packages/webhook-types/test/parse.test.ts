import { inspect } from "node:util";
import fc from "fast-check";
import * as zod from "zod";
import * as z from "zod/mini";
import { beforeAll, describe, expect, test, vi } from "vitest";
import { isSecret, stringifyJson } from "@fieldmesh/core";
import { compiled, countRecords } from "@fieldmesh/core/internal/schema";
import { eventTypes, isKnownEvent, reassignmentOf, sourceOf } from "../src/index.ts";
import { createEventParser, EventParseError, eventSchema, parseEvent } from "../src/parse/index.ts";
import { schemaOf } from "../src/parse/event-schema.ts";
import { sampleEvent } from "../src/samples.ts";

const wireOf = (type: (typeof eventTypes)[number]): Record<string, unknown> =>
  JSON.parse(stringifyJson(sampleEvent(type), { reveal: true })) as Record<string, unknown>;

test("each type is listed once", () => {
  expect(new Set(eventTypes).size).toBe(eventTypes.length);
});

test.each(eventTypes)(
  "the sample of %s is parsed from a string and from bytes, and is stringified unchanged",
  (type) => {
    const wire = stringifyJson(wireOf(type));
    for (const body of [
      wire,
      new TextEncoder().encode(wire),
      new TextEncoder().encode(`\uFEFF${wire}`),
    ]) {
      const event = parseEvent(body);
      expect(isKnownEvent(event)).toBe(true);
      expect(event).toEqual(sampleEvent(type));
      expect(JSON.parse(stringifyJson(event, { reveal: true }))).toEqual(JSON.parse(wire));
    }
  },
);

test("an unknown type is returned, even if it is the name of a property of every object", () => {
  for (const type of ["sim.frobbed", "constructor", "__proto__", "toString", ""]) {
    const event = parseEvent({ ...wireOf("sim.activated"), type });
    expect(isKnownEvent(event)).toBe(false);
    expect(event.type).toBe(type);
  }
});

test("fields that no schema declares are kept, and no integer is rounded", () => {
  const wire = stringifyJson(wireOf("plan.created")).replace(
    '"object":{',
    '"object":{"bones":12345678901234567890,"new":[1],',
  );
  expect(parseEvent(wire).data["object"]).toMatchObject({ bones: 12345678901234567890n, new: [1] });
});

test("an event with an id that no store can keep is rejected, because two such events would look equal", () => {
  for (const id of ["", "evt_\uD800", "evt_\0", "x".repeat(501)]) {
    const wire = { ...wireOf("plan.created"), id };
    for (const body of [wire, stringifyJson(wire)])
      expect(() => parseEvent(body)).toThrow("plan.created: id: expected 1 to 500 characters.");
  }
  for (const id of ["evt_\u{1F600}", "x".repeat(500), "__proto__", "a\nb"])
    expect(parseEvent({ ...wireOf("plan.created"), id }).id).toBe(id);
});

describe("a malformed event is an EventParseError without the payload:", () => {
  const canary = "c4n4ry";
  const cases: [string, unknown, RegExp][] = [
    ["a string that is not JSON", `{"${canary}": c4n4ry`, /not JSON/],
    ["bytes that are not UTF-8", new Uint8Array([0x22, 0xff, 0x22]), /not UTF-8/],
    ["not an object", `"${canary}"`, /expected object/],
    ["null", "null", /expected object/],
    ["a list", `["${canary}"]`, /expected object/],
    ["no type", { id: canary }, /id|created_at|type/],
    ["a type that is not a string", { type: { [canary]: 1 } }, /expected/],
    ["an unknown type without an envelope", { type: canary }, /id: expected string/],
    [
      "a known type with a wrong field",
      { ...wireOf("sim.synced"), livemode: canary },
      /sim\.synced: livemode: expected boolean/,
    ],
    [
      "a payload that is not an object",
      { ...wireOf("sim.synced"), data: [canary] },
      /data: expected/,
    ],
    [
      "an unknown type whose payload is a string",
      { ...wireOf("sim.synced"), type: "x", data: canary },
      /data/,
    ],
  ];
  test.each(cases)("%s", (_name, body, message) => {
    let error: unknown;
    try {
      parseEvent(body, { onDrift: () => {} });
    } catch (thrown) {
      error = thrown;
    }
    if (!(error instanceof EventParseError)) throw error;
    expect(error.message).toMatch(message);
    const printed = [
      error.message,
      error.stack,
      JSON.stringify(error),
      inspect(error, { depth: 9, showHidden: true }),
    ];
    expect(printed.join("\n").replaceAll(/ at .*/g, "")).not.toContain(canary);
  });

  test("an error map of the application that quotes the input has no effect", () => {
    zod.config({ customError: (issue) => `got ${String(issue.input)}` });
    try {
      expect(() => parseEvent({ ...wireOf("sim.synced"), livemode: canary })).toThrow(
        /expected boolean/,
      );
    } finally {
      zod.config({ customError: undefined });
    }
  });
});

describe("compiled and plain schemas agree", () => {
  beforeAll(() => countRecords(300));

  test.each(eventTypes)("of %s, on what they accept and what they reject", (type) => {
    const wire = wireOf(type);
    const values = fc.oneof(
      fc.constant(undefined),
      fc.constant(null),
      fc.string(),
      fc.integer(),
      fc.boolean(),
      fc.object({ maxDepth: 1 }),
      fc.array(fc.string()),
    );
    const paths = pathsIn(wire);
    fc.assert(
      fc.property(fc.constantFrom(...paths), values, (path, value) => {
        const changed = withValue(wire, path, value);
        const plain = z.safeParse(schemaOf(type), changed);
        const fast = z.safeParse(compiled(schemaOf(type)), changed);
        expect(fast.data).toEqual(plain.data);
        expect(fast.error?.issues).toEqual(plain.error?.issues);
        if (path[0] === "type") return;
        const exact = z.safeParse(eventSchema(type), changed);
        expect(exact.data).toEqual(plain.data);
        expect(exact.error?.issues).toEqual(plain.error?.issues);
      }),
      { numRuns: 40, seed: 5 },
    );
  });

  test("the schema of a type rejects an event of another type with the same data", () => {
    const other = wireOf("port.submitted");
    expect(z.safeParse(eventSchema("port.submitted"), other).success).toBe(true);
    expect(z.safeParse(eventSchema("port.created"), other).error?.issues).toMatchObject([
      { code: "invalid_value", path: ["type"] },
    ]);
  });
});

describe("fields that the spec names", () => {
  test("secrets are Secrets: the one-time code and activation codes", () => {
    expect(isSecret(sampleEvent("cpni.verification.requested").data.object.code)).toBe(true);
    for (const type of ["sim.provisioned", "sim.activated", "sim.swapped"] as const)
      expect(isSecret(sampleEvent(type).data.object.activation_code)).toBe(true);
  });

  test("an open status accepts a value that does not exist yet", () => {
    const event = sampleEvent("subscription.updated", {
      data: { object: { status: "hibernating" } },
    });
    expect(event.data.object.status).toBe("hibernating");
  });

  test("an event says whether it was delivered by webhook or read from the store", () => {
    const stored = parseEvent(wireOf("cpni.verification.succeeded"), { source: "store" });
    expect([
      sourceOf(stored),
      sourceOf({ ...stored }),
      sourceOf(sampleEvent("sim.synced")),
    ]).toEqual(["store", "store", "webhook"]);
    expect(JSON.parse(stringifyJson(stored))).toEqual(wireOf("cpni.verification.succeeded"));
  });

  test("reassignmentOf names a subscription to repoint to only if the old one is canceled", () => {
    expect(reassignmentOf(sampleEvent("sim.reassigned")).repointTo).toBe("subn_01JD3YC9K1");
    const active = sampleEvent("sim.reassigned", {
      data: { previous_attributes: { subscription_status: "active" } },
    });
    expect(reassignmentOf(active)).toEqual({
      holderSubscriberId: "sub_01JD3Y7Q4W8TQ2",
      repointTo: undefined,
      subscriptionStatus: "active",
    });
  });
});

describe("the caller's own schemas", () => {
  const parse = createEventParser({ "plan.created": zod.object({ price_cents: zod.int() }) });
  const priced = {
    ...wireOf("plan.created"),
    data: { object: { id: "plan_1", price_cents: 4_500 } },
  };

  test("check and replace data.object of their type, and do not change other types", () => {
    expect(parse(priced).data["object"]).toEqual({ price_cents: 4_500 });
    expect(parse(wireOf("plan.updated"))).toEqual(sampleEvent("plan.updated"));
  });

  test("are not quoted if they reject the payload", () => {
    const wire = { ...wireOf("plan.created"), data: { object: { price_cents: "c4n4ry" } } };
    expect(() => parse(wire)).toThrow("data.object: does not fit the schema");
  });

  test("for an unknown type are rejected with a TypeError and a suggestion", () => {
    const schemas = { "plan.creatd": zod.object({}) } as object;
    expect(() => createEventParser(schemas)).toThrow(TypeError);
    expect(() => createEventParser(schemas)).toThrow('Did you mean "plan.created"?');
  });

  test("that throw are not quoted, and leave no rejection that nobody handles", async () => {
    const unhandled = vi.fn();
    process.on("unhandledRejection", unhandled);
    const fail = (): never => {
      throw new Error("Basic plan");
    };
    const thrownBy = (schema: object): unknown => {
      try {
        return createEventParser({ "plan.created": schema as never })(wireOf("plan.created"));
      } catch (error) {
        return error;
      }
    };
    const byZod = thrownBy(zod.object({}).refine(fail));
    const byOther = thrownBy({ "~standard": { version: 1, vendor: "other", validate: fail } });
    await new Promise((resolve) => setTimeout(resolve, 10));
    process.off("unhandledRejection", unhandled);
    expect(unhandled).not.toHaveBeenCalled();
    expect(String(byZod)).toMatch(/^TypeError: .+ is asynchronous, or a check of it has thrown\. /);
    expect(byOther).toBeInstanceOf(EventParseError);
    expect(String(byOther)).toMatch(/^EventParseError: Cannot parse an event: /);
    expect(inspect([byZod, byOther])).not.toContain("Basic plan");
  });
});

const anyType = fc.oneof(fc.constantFrom(...eventTypes), fc.string());
const data = fc.oneof(fc.record({ object: fc.jsonValue() }), fc.jsonValue());
const modes = fc.constantFrom("strict" as const, "warn" as const, "off" as const);
const anyBody = fc.oneof(
  fc.jsonValue(),
  fc.record(
    {
      id: fc.oneof(fc.string(), fc.jsonValue()),
      type: anyType,
      created_at: fc.oneof(fc.string(), fc.jsonValue()),
      livemode: fc.oneof(fc.boolean(), fc.jsonValue()),
      idempotency_key: fc.string(),
      data,
    },
    { requiredKeys: ["type"] },
  ),
);

test("parseEvent returns an event for any JSON, or throws an EventParseError with at most 20 problems", () => {
  fc.assert(
    fc.property(anyBody, modes, (value, validation) => {
      try {
        const event = parseEvent(JSON.stringify(value), { validation, onDrift: () => undefined });
        expect(typeof event.id).toBe("string");
        expect(event.drift?.length ?? 0).toBeLessThanOrEqual(20);
      } catch (error) {
        expect(error).toBeInstanceOf(EventParseError);
        expect((error as { problems: unknown[] }).problems.length).toBeLessThanOrEqual(20);
      }
    }),
  );
});

test("parsing a parsed event, including its Secrets, returns an equal event and does not change it", () => {
  for (const type of ["sim.activated", "cpni.verification.requested", "plan.created"] as const) {
    const event = Object.freeze(sampleEvent(type));
    expect(parseEvent(event)).toEqual(event);
    expect(parseEvent(event)).not.toBe(event);
  }
  const circular: Record<string, unknown> = { ...wireOf("plan.created") };
  circular["self"] = circular;
  for (const none of [circular, undefined, () => "canary"])
    expect(() => parseEvent(none)).toThrow("Cannot parse an event: expected JSON.");
});

function pathsIn(value: unknown, path: string[] = []): string[][] {
  if (typeof value !== "object" || value === null || Array.isArray(value)) return [path];
  return [
    ...(path.length > 0 ? [path] : []),
    ...Object.entries(value).flatMap(([key, child]) => pathsIn(child, [...path, key])),
  ];
}

function withValue(value: unknown, [key, ...rest]: string[], replacement: unknown): unknown {
  if (key === undefined) return replacement;
  const copy: Record<string, unknown> = { ...(value as object) };
  if (rest.length === 0 && replacement === undefined) delete copy[key];
  else copy[key] = withValue(copy[key], rest, replacement);
  return copy;
}
