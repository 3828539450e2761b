import { readFileSync } from "node:fs";
import { connect } from "node:net";
import { join } from "node:path";
import { isRecord, parseJson, stringifyJson } from "@fieldmesh/core/internal";
import { eventTypes, type EventType } from "@fieldmesh/webhook-types";
import { secretFields } from "@fieldmesh/webhook-types/internal";
import { afterAll, describe, expect, test } from "vitest";
import { type RunningSandbox, startSandbox } from "../../src/index.ts";
import { newDevice, NOBODY } from "../../src/engine/testing/console.ts";
import { elsewhere } from "./elsewhere.ts";
import type { SpecRow } from "./read-spec.ts";
import { consoleStatements } from "./statements/console.ts";
import { ledgerStatements } from "./statements/ledger.ts";
import { mapperStatements } from "./statements/mapper.ts";
import { mobileStatements } from "./statements/mobile.ts";
import type { Statement } from "./statements/statement.ts";

const rows = JSON.parse(
  readFileSync(join(import.meta.dirname, "../../../../tools/testing/spec-names.json"), "utf8"),
) as readonly SpecRow[];
const statements = {
  console: consoleStatements,
  ledger: ledgerStatements,
  mapper: mapperStatements,
  mobile: mobileStatements,
};

/** A sandbox with one record of each kind, and the values that the requests name. */
interface Fixture {
  readonly sandbox: RunningSandbox;
  readonly values: Readonly<Record<string, string>>;
}

interface Move {
  readonly object: Readonly<Record<string, unknown>>;
  readonly previous_attributes?: Readonly<Record<string, unknown>>;
}

describe.each(Object.entries(statements))("the %s of the sandbox", (_service, table) => {
  let usual: Promise<Fixture & { reset: () => void }> | undefined;
  afterAll(async () => (await usual)?.sandbox.close());

  /** Rows with the default options share a sandbox, which begins each row with the same data. */
  const open = async ({ options }: Statement) => {
    if (options !== undefined) return { ...(await prepare(options)), isOwn: true };
    usual ??= prepare({}).then((fixture) => {
      const snapshot = fixture.sandbox.snapshot();
      return { ...fixture, reset: () => fixture.sandbox.restore(snapshot) };
    });
    const { reset, ...fixture } = await usual;
    reset();
    return { ...fixture, isOwn: false };
  };

  test.each(table.map((each) => [each.says, each] as const))("%s", async (_says, statement) => {
    const { sandbox, values, isOwn } = await open(statement);
    try {
      const { status, body } = await sendRaw(sandbox.port, fill(statement.request, values));
      expect([status, status === statement.status ? "" : body]).toEqual([statement.status, ""]);
      if (statement.body === undefined) return;
      const isText = typeof statement.body === "string";
      expect(isText ? body : numbers(parseJson(body))).toEqual(fillAll(statement.body, values));
    } finally {
      if (isOwn) await sandbox.close();
    }
  });
});

describe("GET /events", async () => {
  const sandbox = await startSandbox({ mobile: { pageSize: 1_000 } });
  afterAll(() => sandbox.close());
  // A migration says so in the event.
  const migrated = new Set(["subscriber.created", "subscription.created"]);
  for (const type of eventTypes)
    await sandbox.webhooks.trigger(type, migrated.has(type) ? { data: { imported: true } } : {});
  const request = `GET /mobile/events\nauthorization: Bearer ${sandbox.mobile.apiKey}`;
  const { body } = await sendRaw(sandbox.port, request);
  const events = (JSON.parse(body) as { data: { type: string }[] }).data;
  const byType = new Map(events.map((event) => [event.type, event]));

  const stated = rows.filter(({ subject }) => (eventTypes as readonly string[]).includes(subject));
  test.each(stated.map((row) => [row.subject, row] as const))(
    "lists %s with its envelope and the fields that the contract names",
    (type, { names }) => {
      const event = byType.get(type);
      expect(event).toEqual({
        id: expect.stringMatching(/^evt_/),
        type,
        created_at: expect.stringMatching(/^\d{4}-\d\d-\d\dT.*Z$/),
        livemode: false,
        data: expect.objectContaining({ object: expect.any(Object) }),
        idempotency_key: expect.any(String),
      });
      const secret = secretsOf(type);
      const isSecret = (name: string) => secret.includes(name.split(".").at(-1) ?? "");
      const words = wordsOf(event);
      expect(words).not.toContain(secret[0] ?? "code");
      const fields = names.filter((name) => !isEventName(name) && elsewhere[name] === undefined);
      expect(fields.filter((name) => !isSecret(name) && !isIn(words, name))).toEqual([]);
    },
  );

  const moves = rows.filter(
    ({ document, section, values = [] }) =>
      document === "mobile-events.md" && section === "States and transitions" && values.length > 0,
  );
  test.each(moves.map((row) => [row.key ?? "", row] as const))(
    "a move of the contract is in its event: %s",
    (key, { subject, values = [] }) => {
      const event = byType.get(key.replace(`${subject}: `, "")) as { type: string; data: Move };
      const [[field, value] = ["", ""]] = values;
      expect(event.data.object[field]).toBe(value);
      // "subscription paused": the event says what the state was.
      const [, before] = /^\w+ ([a-z_]+)$/.exec(subject) ?? [];
      if (before !== undefined && before !== "lock" && before !== "connection")
        expect(event.data.previous_attributes?.[field]).toBe(before);
    },
  );
  test("redacts the recipient, which has an email and a shipping_address", () => {
    const orders = events.filter(({ type }) => type.startsWith("psim_order."));
    expect(orders).toHaveLength(4);
    for (const order of orders) {
      expect(wordsOf(order)).not.toContain("shipping_address");
      expect(wordsOf(order)).not.toContain("email");
    }
  });

  const all = Object.values(statements).flat();
  test(`every name of the contract is in one of ${all.length + stated.length} statements, or is listed with a reason`, () => {
    const mentioned = new Set([
      ...all.flatMap(({ says, request: sent, body: expected }) => [
        ...says.split(/[^\w.]+/),
        ...sent.split(/[^\w.]+/),
        ...wordsOf(expected),
      ]),
      ...events.flatMap((event) => [...wordsOf(event)]),
      ...eventTypes.flatMap(secretsOf),
      "shipping_address",
    ]);
    const missing = rows
      .flatMap(({ subject, names }) => [
        ...(/^[a-z_.]+$/i.test(subject) ? [subject] : []),
        ...names,
      ])
      .filter((name) => elsewhere[name] === undefined)
      .filter((name) => !isEventName(name) && !isIn(mentioned, name));
    expect([...new Set(missing)]).toEqual([]);
    const routes = rows
      .map(({ subject }) => subject)
      .filter((subject) => /^[A-Z]+ \//.test(subject))
      .filter(
        (route) => route !== "GET /events" && !all.some(({ request: sent }) => fits(route, sent)),
      );
    expect(routes).toEqual([]);
  });
});

async function prepare(options: NonNullable<Statement["options"]>): Promise<Fixture> {
  const sandbox = await startSandbox({
    ...options,
    console: { data: "empty", ...options.console },
    ledger: { emptyPages: 0, ...options.ledger },
  });
  const { state } = sandbox.console;
  const [key, bearer] = [sandbox.apiKey, sandbox.mobile.apiKey];
  const call = async (path: string, body: object, headers: Record<string, string>) => {
    const response = await fetch(sandbox.origin + path, {
      method: "POST",
      body: JSON.stringify(body),
      headers: { ...headers, "content-type": "application/json" },
    });
    const received = await response.text();
    // A hosted deployment confirms a flow with a text.
    return (received.startsWith("{") ? JSON.parse(received) : {}) as Record<string, string>;
  };
  const values: Record<string, string> = {
    key,
    bearer,
    reader: sandbox.mobile.keys.pk,
    nobody: NOBODY,
  };
  if (options.console?.requestsPerMinute !== 0) {
    const console = (path: string, body: object) => call(`/console/api/v1/${path}`, body, { key });
    values["label"] = (await console("labels", { name: "Pumps" }))["id"]!;
    await console("devices", { devices: [{ ...newDevice(), label_ids: [values["label"]] }] });
    values["device"] = [...state.devices.values()][0]!.id;
    const lake = { name: "Lake", type: "mqtt", endpoint: "mqtts://b.example.com" };
    const integration = await console("integrations", {
      ...lake,
      uplink_topic: "u",
      downlink_topic: "d",
    });
    values["integration"] = integration["id"]!;
    await console("flows", { integration_id: integration["id"], device_id: values["device"] });
    values["flow"] = [...state.flows.keys()][0]!;
    await sandbox.console.sendUplink({ device_id: values["device"], decoded: {} });
  }
  const { chain, height } = sandbox.ledger.state;
  values["address"] = chain.addresses.of(10);
  values["hash"] = chain.block(height - 1).hash;
  const read = async (path: string) =>
    (
      (await (
        await fetch(`${sandbox.origin}/ledger/v1/${path}`, {
          headers: { "user-agent": "test" },
        })
      ).json()) as { cursor: string }
    ).cursor;
  values["cursor"] = await read("blocks");
  values["expired"] = await read("accounts");
  sandbox.ledger.state.expireCursors();
  const mobile = (path: string, body: object) =>
    call(`/mobile/v1/${path}`, body, { authorization: `Bearer ${bearer}` });
  const person = { email: "ada@example.com", name: "Ada" };
  values["subscriber"] = (await mobile("subscribers", person))["id"]!;
  values["billed"] = (await mobile("subscribers", person))["id"]!;
  const subscription = { subscriber_id: values["billed"], plan_id: "plan_1" };
  values["subscription"] = (await mobile("subscriptions", subscription))["id"]!;
  return { sandbox, values };
}

/** Sends a request over a socket of its own. In HTTP/1.0, the body ends with the connection. */
function sendRaw(port: number, request: string): Promise<{ status: number; body: string }> {
  const [head = "", ...rest] = request.split("\n\n");
  const [line, ...headers] = head.split("\n");
  const body = rest.join("\n\n");
  const length = body === "" ? [] : [`content-length: ${Buffer.byteLength(body)}`];
  const lines = [`${line} HTTP/1.0`, `host: 127.0.0.1:${port}`, ...headers, ...length, "", body];
  return new Promise((resolve, reject) => {
    const chunks: Buffer[] = [];
    const socket = connect(port, "127.0.0.1", () => void socket.write(lines.join("\r\n")));
    socket
      .on("data", (chunk: Buffer) => chunks.push(chunk))
      .on("error", reject)
      .on("end", () => {
        const [received = "", ...parts] = Buffer.concat(chunks).toString().split("\r\n\r\n");
        resolve({ status: Number(received.split(" ")[1]), body: parts.join("\r\n\r\n") });
      });
  });
}

/** Fills in the values of the fixture. What is not one of them stays, such as a placeholder of the console. */
function fill(text: string, values: Fixture["values"]): string {
  return text.replaceAll(/\{(\w+)\}/g, (whole, name: string) => values[name] ?? whole);
}

function fillAll(expected: unknown, values: Fixture["values"]): unknown {
  if (typeof expected === "string") return fill(expected, values);
  if (Array.isArray(expected)) return expected.map((each) => fillAll(each, values));
  if (typeof expected !== "object" || expected === null) return expected;
  if ("asymmetricMatch" in expected) {
    const { sample } = expected as { sample?: unknown };
    if (Array.isArray(sample) || (isRecord(sample) && !(sample instanceof RegExp)))
      return Object.assign(
        Object.create(Object.getPrototypeOf(expected) as object) as object,
        expected,
        {
          sample: fillAll(sample, values),
        },
      );
    return expected;
  }
  return Object.fromEntries(
    Object.entries(expected).map(([key, value]) => [key, fillAll(value, values)]),
  );
}

/** Integers beyond 2^53 are exact in the body, and numbers here. */
function numbers(value: unknown): unknown {
  return JSON.parse(stringifyJson(value));
}

function secretsOf(type: string): readonly string[] {
  return (secretFields as Partial<Record<EventType, readonly string[]>>)[type as EventType] ?? [];
}

/** Returns each key and each text in a value, also in what a matcher expects. */
function wordsOf(value: unknown): Set<string> {
  const words = new Set<string>();
  const visit = (each: unknown): void => {
    if (typeof each === "string") words.add(each);
    if (typeof each !== "object" || each === null) return;
    for (const [key, child] of Object.entries(each)) {
      words.add(key);
      visit(child);
    }
  };
  visit(value);
  return words;
}

/** A name with dots is a path of fields. */
function isIn(words: ReadonlySet<string>, name: string): boolean {
  return (
    words.has(name) ||
    name
      .replace("[]", "")
      .split(".")
      .every((part) => words.has(part))
  );
}

function isEventName(name: string): boolean {
  return eventTypes.some((type) => type === name || type.startsWith(`${name}.`));
}

/** Tells whether a request is of a route of the contract. */
function fits(route: string, request: string): boolean {
  const [method = "", template = ""] = route.split(" ");
  const [sent = "", path = ""] = (request.split("\n")[0] ?? "").split(" ");
  const [own = "", query = ""] = template.split("?");
  const pattern = own.replaceAll(/:\w+|\{\w+\}/g, "[^/?]+");
  const [only, asked = ""] = path.split("?");
  return (
    method === sent && new RegExp(`^/\\w+${pattern}$`).test(only ?? "") && asked.includes(query)
  );
}
