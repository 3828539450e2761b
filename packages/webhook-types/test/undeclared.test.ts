import { DatabaseSync } from "node:sqlite";
import { inspect } from "node:util";
import { describe, expect, test } from "vitest";
import { stringifyJson } from "@fieldmesh/core";
import { signedRequest } from "../src/index.ts";
import { createEventParser, parseEvent, redactEvent } from "../src/parse/index.ts";
import { createReceiver, memoryStore } from "../src/receiver/index.ts";
import { sampleEvent } from "../src/samples.ts";
import { sqliteInbox, sqlitePoison } from "../src/stores/index.ts";
import { sqliteMirror } from "../../mirror/src/index.ts";
import { migrationOf } from "../../../tools/testing/mirrors.ts";

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
