import {
  canaries,
  fixtureSecret,
  everythingPrinted,
  findCanary,
} from "../../../tools/canaries/canaries.ts";
import { inspect } from "node:util";
import { describe, expect, test } from "vitest";
import { stringifyJson } from "@fieldmesh/core";
import { sensitiveFields } from "@fieldmesh/core/internal/schema";
import { createVerifier, eventTypes, sign, type EventType, signedRequest } from "../src/index.ts";
import { explain } from "../src/explain/explain.ts";
import { createEventParser, eventSchema, parseEvent, redactEvent } from "../src/parse/index.ts";
import { createEventRouter } from "../src/router/index.ts";
import { sampleEvent } from "../src/samples.ts";
import * as z from "zod";
import { DatabaseSync } from "node:sqlite";
import { createReceiver, memoryStore, memoryPoison } from "../src/receiver/index.ts";
import {
  sqliteInbox,
  sqlitePoison,
  postgresInbox,
  postgresPoison,
  postgresStore,
  redisStore,
  sqliteStore,
} from "../src/stores/index.ts";
import { sqliteMirror } from "../../mirror/src/index.ts";
import { migrationOf } from "../../../tools/testing/mirrors.ts";
import { scanner } from "../../../tools/canaries/setup.ts";
import { ioredisOf } from "./ioredis-double.ts";

// Every event and every failure contains values that must not appear in logs.

const CODE = "271828";
const ACTIVATION_CODE = "LPA:1$canary.example.com$31415";
const EMAIL = "canary@example.com";
const SECRET = canaries.webhookSecret;
const VALUES = [CODE, ACTIVATION_CODE, EMAIL, SECRET];

/** Returns everything that a log may contain of a value. File names in a stack are not payload. */
function printed(value: unknown): string {
  const texts = [inspect(value, { depth: 20, showHidden: true }), JSON.stringify(value)];
  if (value instanceof Error) texts.push(value.message, String(value.stack), String(value));
  return texts.join("\n");
}

function expectNone(value: unknown): void {
  const text = printed(value);
  for (const planted of VALUES) expect(text).not.toContain(planted);
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
  const expires_at = "2026-11-20T08:40:00Z";
  const requested = { ...verification, agent, expires_at, grant_duration_seconds: 1 };
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
  for (const type of eventTypes) {
    const before = named.size;
    collect(eventSchema(type), "");
    // Tests plant their secrets in the samples.
    for (const name of [...named].slice(before))
      expect(stringifyJson(sampleEvent(type)), "write it in events/samples").toContain(`"${name}"`);
  }
  expect(
    [...named].toSorted(),
    "plant a value for the new name in wireOf of canaries.test.ts, then list it here",
  ).toEqual(["activation_code", "code"]);
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

// Values that no schema declares, with names that the list knows.

const CANARY = /CANARY\w+/g;
const found = (text: string): string[] => [...new Set(text.match(CANARY) ?? [])].sort();

const SECRETS = {
  pin: "CANARYpin",
  port_out_pin: "CANARYport",
  transferPin: "CANARYtransfer",
  "PORT-PIN": "CANARYupper",
  otp: "CANARYotp",
  deep: [{ PUK1: "CANARYpuk", ki: 12345678, note: "stays" }],
};
const PERSONAL = { full_name: "CANARYname" };

function eventWith(more: object): string {
  const event = JSON.parse(
    stringifyJson(sampleEvent("sim.port_out_pin_generated"), { reveal: true }),
  ) as { data: { object: object; port_pin?: string } };
  event.data.object = { ...event.data.object, ...more };
  event.data.port_pin = "CANARYdata";
  return JSON.stringify(event);
}

describe("a secret that no schema declares is hidden by its name", () => {
  const event = parseEvent(eventWith(SECRETS));

  test.each<[string, () => string]>([
    ["console.log", () => inspect(event, { depth: 9 })],
    ["JSON", () => JSON.stringify(event)],
    ["redactEvent", () => JSON.stringify(redactEvent(event))],
  ])("in %s", (_printer, print) => {
    expect(found(print())).toEqual([]);
  });

  test("and can be reached", () => {
    expect(stringifyJson(event, { reveal: true })).toContain("CANARYtransfer");
    expect(JSON.stringify(event)).toContain('"note":"stays"');
  });

  test("in a poison store without secrets, and in a mirror", async () => {
    const database = new DatabaseSync(":memory:");
    database.exec(migrationOf("sqlite"));
    const payload = eventWith({ ...SECRETS, ...PERSONAL });
    const secret = "whsec_0123456789abcdef";
    const request = () => signedRequest(payload, { url: "http://x/", secret });
    const poison = { store: sqlitePoison(database, { payload: "withoutSecrets" }), attempts: 1 };
    const fails = { "sim.port_out_pin_generated": () => Promise.reject(new Error("x")) };
    const quiet = { secret, onError: () => {}, onOutcome: () => {} };
    const receive = createReceiver({ ...quiet, store: memoryStore(), poison, handlers: fails });
    expect((await receive(await request())).status).toBe(200);
    const order = sqliteMirror(database);
    const store = sqliteInbox(database);
    const mirrors = createReceiver({ ...quiet, store, order, handlers: {} });
    expect((await mirrors(await request())).status).toBe(200);
    const rows = (table: string) =>
      JSON.stringify(database.prepare(`SELECT * FROM ${table}`).all());
    expect(found(rows("fieldmesh_poison"))).toEqual(["CANARYname"]);
    expect(found(rows("fieldmesh_mirror"))).toEqual([]);
    database.close();
  });
});

test("an option of a mirror names what it stores nevertheless", async () => {
  const database = new DatabaseSync(":memory:");
  database.exec(migrationOf("sqlite"));
  const order = sqliteMirror(database, { undeclared: ["sim.full_name", "sim.wallet_token"] });
  const event = JSON.parse(stringifyJson(sampleEvent("sim.restored"), { reveal: true })) as {
    data: { object: object };
  };
  event.data.object = {
    ...event.data.object,
    full_name: "CANARYname",
    wallet_token: "CANARYtoken",
    last_name: "CANARYlast",
  };
  const secret = "whsec_0123456789abcdef";
  const receive = createReceiver({ secret, store: sqliteInbox(database), order, handlers: {} });
  await receive(await signedRequest(JSON.stringify(event), { url: "http://x/", secret }));
  const rows = JSON.stringify(database.prepare("SELECT * FROM fieldmesh_mirror").all());
  expect(found(rows)).toEqual(["CANARYname", "CANARYtoken"]);
  database.close();
});

test("a schema of the user receives what was sent, and its result is not changed", () => {
  const validate = (value: unknown) => ({ value: { seen: value, token: "mine" } });
  const schema = { "~standard": { version: 1, vendor: "x", validate } };
  const parse = createEventParser({ "sim.port_out_pin_generated": schema as never });
  const { object } = parse(eventWith(SECRETS)).data as { object: unknown };
  expect(object).toMatchObject({ seen: SECRETS, token: "mine" });
});

test("the metadata of the user is not changed", () => {
  const metadata = { token: "mine", pin: 1 };
  const event = parseEvent(eventWith({ metadata }));
  expect(event.data.object).toMatchObject({ metadata });
});

// Tests the search of the rows that stores write: it finds a planted secret in each of them, and names the place.

const client = {
  query: async (text: string) => text.split(";\n").map((command) => ({ rows: [], command })),
  escapeLiteral: (text: string) => text,
  on: () => {},
  removeListener: () => {},
  release: () => {},
};
const pool = { query: async () => ({ rows: [] }), connect: async () => client };
const attempt = (text: string) => ({ id: "evt_1", type: "x.y", error: text });
const keep = async (store: ReturnType<typeof memoryPoison>, text: string) => {
  await store.fail(attempt("TypeError"));
  await store.setAside("evt_1", JSON.stringify({ text }));
};

const PLACES: readonly [string, string, (text: string) => Promise<unknown>][] = [
  ["memoryStore", "a row in memory", (text) => memoryStore().claim(text, "token", 1)],
  ["memoryPoison", "a row in memory", (text) => keep(memoryPoison(), text)],
  [
    "sqliteStore",
    "a row of a database",
    (text) => sqliteStore(new DatabaseSync(":memory:")).claim(text, "token", 1),
  ],
  [
    "sqlitePoison",
    "a row of a database",
    (text) => keep(sqlitePoison(new DatabaseSync(":memory:")), text),
  ],
  ["postgresStore", "a row of a database", (text) => postgresStore(pool).claim(text, "token", 1)],
  ["postgresPoison", "a row of a database", (text) => postgresPoison(pool).setAside("evt_1", text)],
  [
    "postgresInbox",
    "a row of a database",
    (text) => postgresInbox(pool as never).run(text, async () => {}),
  ],
  [
    "redisStore",
    "a key of Redis",
    (text) => redisStore(ioredisOf(async () => ["done", null])).claim(text, "token", 1),
  ],
];

test.each(PLACES)(
  "the search finds a secret that %s writes in %s",
  async (_store, place, write) => {
    await write(fixtureSecret);
    expect(scanner.hits()).toContainEqual(expect.stringContaining(`${place} holds a canary`));
    await write(canaries.appKey.toLowerCase());
    expect(scanner.hits()).toContainEqual(expect.stringContaining(`${place} holds a canary`));
    await write("evt_2");
    expect(scanner.hits()).toEqual([]);
  },
);

const { token, webhookSecret: secret } = canaries;
/** The error of a handler may quote the payload. Only onError receives it. */
const QUOTE = "quoted-by-a-handler";
const url = "https://hooks.test/";

function sampleOf(of: EventType): Record<string, unknown> {
  return JSON.parse(stringifyJson(sampleEvent(of), { reveal: true })) as Record<string, unknown>;
}

/** Returns the event with a value in place of each of its fields, except the id and the type, which a log may contain. */
function filled(value: unknown, key: string, of: unknown): unknown {
  if (key === "id" || key === "type") return value;
  if (Array.isArray(value)) return value.map((each) => filled(each, "", of));
  if (typeof value !== "object" || value === null) return of;
  return Object.fromEntries(
    Object.entries(value).map(([name, each]) => [name, filled(each, name, of)]),
  );
}

test.each(eventTypes)(
  "no outcome, report or error about %s contains one of its values, whatever fails",
  async (of) => {
    const seen: unknown[] = [];
    const see = (...args: unknown[]): void => void seen.push(args);
    for (const validation of ["strict", "off"] as const) {
      const fail = (): never => {
        throw new Error(QUOTE);
      };
      const receive = createReceiver({
        secret,
        validation,
        store: memoryStore(),
        onDrift: see,
        onOutcome: see,
        onError: (_, report) => see(report),
        logger: { debug: see, warn: see, error: see },
        handlers: { [of]: fail, otherwise: fail },
      });
      for (const value of [token, [token], { [token]: token }]) {
        const body = JSON.stringify(filled(sampleOf(of), "", value));
        for (const headers of [
          await sign({ secret, body }),
          { "platform-signature": `t=1,v1=${token}` },
          {},
        ]) {
          const response = await receive(
            new Request(url, { method: "POST", body, headers: headers as Record<string, string> }),
          );
          see(response.status, [...response.headers], await response.text());
        }
      }
    }
    expect(seen.length).toBeGreaterThan(12);
    expect(findCanary(everythingPrinted(seen))).toBeUndefined();
    expect(findCanary(inspect(seen, { depth: 20 }))).toBeUndefined();
    expect(everythingPrinted(seen)).not.toContain(QUOTE);
  },
);
