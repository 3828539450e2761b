import fc from "fast-check";
import { expect, test } from "vitest";
import { eventTypes } from "../src/index.ts";
import { EventParseError, parseEvent } from "../src/parse/index.ts";

const anyType = fc.oneof(fc.constantFrom(...eventTypes), fc.string());
const data = fc.oneof(fc.record({ object: fc.jsonValue() }), fc.jsonValue());
const modes = fc.constantFrom("strict" as const, "warn" as const, "off" as const);
const body = fc.oneof(
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
    fc.property(body, modes, (value, validation) => {
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

test("an activation code is never printed, whatever the type and the payload", () => {
  fc.assert(
    fc.property(anyType, fc.jsonValue(), modes, (type, other, validation) => {
      const event = parseEvent(
        {
          id: "evt_1",
          type,
          created_at: "2026-11-20T08:30:00Z",
          livemode: true,
          idempotency_key: "k",
          data: { object: { other, activation_code: "canary-4f2a9c" } },
        },
        { validation: validation === "strict" ? "warn" : validation, onDrift: () => undefined },
      );
      expect(
        JSON.stringify(event, (_, each: unknown) => (typeof each === "bigint" ? 0 : each)),
      ).not.toContain("canary");
    }),
  );
});
