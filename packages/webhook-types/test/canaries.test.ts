import { canaries as marked } from "../../../tools/canaries/canaries.ts";
import { inspect } from "node:util";
import { describe, expect, test } from "vitest";
import { stringifyJson } from "@fieldmesh/core";
import { sensitiveFields } from "@fieldmesh/core/internal/schema";
import { createVerifier, eventTypes, sign, type EventType } from "../src/index.ts";
import { explain } from "../src/explain/explain.ts";
import { createEventParser, eventSchema, parseEvent, redactEvent } from "../src/parse/index.ts";
import { createEventRouter } from "../src/router/index.ts";
import { sampleEvent } from "../src/samples.ts";
import * as z from "zod";

// Every event and every failure contains values that must not appear in logs.

const CODE = "271828";
const ACTIVATION_CODE = "LPA:1$canary.example.com$31415";
const EMAIL = "canary@example.com";
const SECRET = marked.webhookSecret;
const canaries = [CODE, ACTIVATION_CODE, EMAIL, SECRET];

/** Returns everything that a log may contain of a value. File names in a stack are not payload. */
function printed(value: unknown): string {
  const texts = [inspect(value, { depth: 20, showHidden: true }), JSON.stringify(value)];
  if (value instanceof Error) texts.push(value.message, String(value.stack), String(value));
  return texts.join("\n");
}

function expectNone(value: unknown): void {
  const text = printed(value);
  for (const canary of canaries) expect(text).not.toContain(canary);
}

/** Returns the wire format of an event, with a canary in each field for a code, an activation code or an email. */
function wireOf(type: EventType): { data: { object: object }; [field: string]: unknown } {
  const event = JSON.parse(stringifyJson(sampleEvent(type), { reveal: true })) as never;
  return change(event, (key, value) => {
    if (key === "code") return CODE;
    if (key === "activation_code") return ACTIVATION_CODE;
    return typeof value === "string" && value.includes("@") ? EMAIL : value;
  }) as never;
}

test("parsed events print neither a one-time code nor an activation code", () => {
  const codes: [EventType, string][] = [
    ["cpni.verification.requested", CODE],
    ["sim.provisioned", ACTIVATION_CODE],
    ["sim.activated", ACTIVATION_CODE],
    ["sim.swapped", ACTIVATION_CODE],
  ];
  for (const [type, code] of codes) {
    const wire = wireOf(type);
    expect(JSON.stringify(wire)).toContain(code);
    const text = printed(parseEvent(wire)) + stringifyJson(parseEvent(wire));
    expect(text).not.toContain(code);
  }
});

describe.each(["strict", "warn", "off"] as const)("under validation %s", (validation) => {
  const parse = (wire: object) => parseEvent(wire, { validation, onDrift: () => {} });
  const verification = { object: "cpni_verification", id: "v", subscriber_id: "s" };
  const agent = { user_id: "u", email: "a@b.c" };
  const requested = { ...verification, agent, expires_at: "", grant_duration_seconds: 1 };
  const codes: [string, string, object][] = [
    ["next to the object", "cpni.verification.requested", { object: requested, code: CODE }],
    [
      "in a nested object",
      "cpni.verification.requested",
      { object: { ...requested, one: { code: CODE } } },
    ],
    ["in a list", "cpni.verification.failed", { object: { agent }, tries: [{ code: CODE }] }],
    ["as a number", "cpni.escalation.requested", { object: { code: Number(CODE) } }],
    ["in a SIM of another type", "sim.synced", { object: { activation_code: ACTIVATION_CODE } }],
    [
      "in earlier values",
      "sim.activated",
      { object: {}, previous_attributes: { activation_code: ACTIVATION_CODE } },
    ],
    [
      "in an object that does not match its schema",
      "sim.activated",
      { object: { state: 7, msisdn: [], activation_code: ACTIVATION_CODE } },
    ],
    [
      "as a list",
      "cpni.verification.requested",
      { object: { ...requested, code: [CODE, [CODE]] } },
    ],
    ["as an object", "cpni.escalation.denied", { object: { code: { value: Number(CODE) } } }],
    ["as an object of an unknown event", "x.y", { object: { code: { value: [CODE] } } }],
    ["in an event of an unknown type", "cpni.verification.resent", { object: { code: CODE } }],
  ];

  test.each(codes)("a code %s is a Secret", (_place, type, data) => {
    const wire = { ...wireOf("plan.created"), type, data };
    const event = parse(wire);
    expectNone(event);
    expectNone(stringifyJson(event));
    expectNone(redactEvent(event));
    expect(stringifyJson(event, { reveal: true })).toMatch(/271828|LPA:1/);
  });

  test("a field code of another meaning is not changed", () => {
    const data = { object: { code: "SUMMER", country: { code: "US" } } };
    expect(parse({ ...wireOf("referral.created"), data }).data).toEqual(data);
  });
});

test("a code of four characters is hidden where another field repeats it, and a shorter one is not", () => {
  const idOf = (code: string) => {
    const object = { id: `cpv_${code}`, code, object: "cpni_verification" };
    const wire = { ...wireOf("cpni.verification.requested"), data: { object } };
    return (redactEvent(wire as never) as { data: { object: { id: string } } }).data.object.id;
  };
  expect([idOf("9531"), idOf("953")]).toEqual(["cpv_[redacted]", "cpv_953"]);
});

test("a code is also hidden in another field that repeats it, in a parsed event or not", () => {
  const wire = {
    ...wireOf("cpni.verification.requested"),
    idempotency_key: `key-${CODE}`,
    data: {
      object: {
        id: `cpv_${CODE}`,
        code: CODE,
        status: `sent ${CODE}`,
        object: "cpni_verification",
      },
    },
  };
  for (const event of [parseEvent(wire), wire]) {
    const shown = redactEvent(event as never);
    expectNone(shown);
    expect(shown).toMatchObject({
      idempotency_key: "key-[redacted]",
      data: { object: { id: "cpv_[redacted]", object: "cpni_verification" } },
    });
  }
});

test("the field names that are always hidden are those of the registry", () => {
  const named = new Set<string>();
  const collect = (schema: z.core.$ZodType | undefined, name: string): void => {
    const def = (schema as z.core.$ZodTypes | undefined)?._zod.def;
    if (schema !== undefined && sensitiveFields.get(schema)?.sensitivity === "secret")
      named.add(name);
    else if (def?.type === "object")
      for (const [key, child] of Object.entries(def.shape)) collect(child, key);
    else if (def?.type === "optional" || def?.type === "nullable") collect(def.innerType, name);
  };
  for (const type of eventTypes) collect(eventSchema(type), "");
  expect([...named].toSorted()).toEqual(["activation_code", "code"]);
});

describe("no canary is printed by", () => {
  const wire = wireOf("cpni.verification.requested");
  const text = JSON.stringify(wire);

  test("the error of JSON that is cut off anywhere in the payload", () => {
    for (let end = 0; end < text.length; end += 1)
      expectNone(thrownBy(() => parseEvent(text.slice(0, end))));
  });

  test("the error of the caller's own schema, which may quote its input", () => {
    const parse = createEventParser({
      "sim.activated": z.object({ state: z.string().refine(() => false, ACTIVATION_CODE) }),
    });
    expectNone(thrownBy(() => parse(wireOf("sim.activated"))));
  });

  test("the error of a verifier, and the result of explain", async () => {
    const headers = await sign({ secret: SECRET, body: text });
    const right = headers["platform-signature"]?.split("v1=")[1] ?? "";
    const verify = createVerifier({ secret: SECRET });
    expectNone(verify);
    const messages = [
      { body: `${text} `, headers },
      { body: text, headers: {} },
      { body: text, headers: { "platform-signature": `t=${SECRET},v1=${EMAIL}` } },
      { body: text, headers: await sign({ secret: SECRET, body: text, timestamp: 1 }) },
      { body: wire as never, headers },
    ];
    for (const message of messages) {
      const error: unknown = await verify(message).catch((each: unknown) => each);
      expect(error).toBeInstanceOf(Error);
      expectNone(error);
      const told = await explain({ secret: ` ${SECRET}` }, message).catch((each: unknown) => each);
      expectNone(told);
      expect(printed(told)).not.toContain(right);
    }
  });

  test("the error of a router, except in the error of a handler", async () => {
    const router = createEventRouter({
      "*": () => {
        throw new Error("a handler's own");
      },
    });
    const error: unknown = await router.dispatch(parseEvent(wire)).catch((each: unknown) => each);
    expect(error).toBeInstanceOf(AggregateError);
    expectNone(error);
  });
});

function thrownBy(call: () => unknown): unknown {
  try {
    call();
  } catch (error) {
    return error;
  }
  throw new Error("nothing was thrown");
}

function change(value: unknown, make: (key: string, value: unknown) => unknown): unknown {
  if (typeof value !== "object" || value === null || Array.isArray(value)) return value;
  return Object.fromEntries(
    Object.entries(value).map(([key, child]) => [key, change(make(key, child), make)]),
  );
}
