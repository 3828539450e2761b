import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { Secret } from "@fieldmesh/core";
import { sign } from "@fieldmesh/webhook-types";
import { afterAll, expect, test } from "vitest";
import { canaries } from "../../../../../tools/canaries/canaries.ts";
import { CommandError, UsageError } from "../command-error.ts";
import { testContext } from "../testing/context.ts";
import { run as explain } from "./explain.ts";
import { verifierOf } from "./show-arrival.ts";
import { run as verify } from "./verify.ts";
import { temporaryFolder } from "../../../../../tools/testing/temporary-folder.ts";
import { readSavedDelivery } from "./saved-delivery.ts";

const SECRET = canaries.webhookSecret;
const SIGNED_AT = "2026-11-20T08:30:05.000Z";
const folder = temporaryFolder(afterAll);

/** Saves a delivery that was signed at SIGNED_AT. */
async function save(body: string, more: { secret?: string; saved?: string } = {}) {
  const { secret = SECRET, saved = body } = more;
  const headers = await sign({ secret, body, timestamp: Date.parse(SIGNED_AT) / 1_000 });
  const options = { headers: join(folder, "headers.json"), body: join(folder, "body.json") };
  writeFileSync(options.headers, JSON.stringify(headers));
  writeFileSync(options.body, saved);
  return (given: Record<string, string> = {}) => ({
    arguments: [],
    options: { ...options, ...given },
  });
}

const contextOf = (isJson = false) =>
  testContext({ env: { FIELDMESH_WEBHOOK_SECRET: SECRET }, isJson });
const errorOf = (running: Promise<void>) =>
  running.catch((error: unknown) => error as CommandError);
const EVENT = {
  id: "evt_1",
  type: "sim.teleported",
  created_at: "2026-11-20T08:30:00Z",
  livemode: true,
  data: { object: { id: "sim_1" } },
  idempotency_key: "idem_1",
};

test("verify prints a verified event of an unknown type as JSON without its data", async () => {
  const context = contextOf(true);
  await verify(context, (await save(JSON.stringify(EVENT)))());
  expect(context.lines.map((line) => JSON.parse(line) as unknown)).toEqual([
    { verified: true, signed_at: SIGNED_AT, event: { ...EVENT, data: "[redacted]" } },
  ]);
});

test("the id of an event is printed without control characters", async () => {
  const context = contextOf();
  await verify(context, (await save(JSON.stringify({ ...EVENT, id: "evt_\u001B[2J" })))());
  expect(context.lines).toEqual([`verified  signed ${SIGNED_AT}  sim.teleported  evt_[2J`]);
});

test("verify names the reason, leads to explain, and fails with exit code 1", async () => {
  const input = await save(JSON.stringify(EVENT), { secret: "whsec_of_another" });
  const error = await errorOf(verify(contextOf(), input()));
  expect(error).toEqual(
    new CommandError("Not verified: signature_mismatch. `explain` lists likely causes."),
  );
  expect(error).toMatchObject({
    exitCode: 1,
    cause: { name: "WebhookVerificationError", reason: "signature_mismatch" },
  });
});

test("verify fails with exit code 1 and the reason if a signed body is not an event", async () => {
  const error = await errorOf(verify(contextOf(), (await save('{"code":"739104"}'))()));
  expect(error).toMatchObject({ exitCode: 1, cause: { name: "EventParseError" } });
  expect(String(error)).not.toContain("739104");
  expect((error as Error).message).toBe(
    `The signature matches, but the body is not an event: ${((error as Error).cause as Error).message}`,
  );
});

test("explain prints each cause with its name and whether it is proved", async () => {
  const parsed = JSON.stringify(EVENT);
  const input = await save(JSON.stringify(EVENT, null, 2), { saved: parsed });
  const [context, asJson] = [contextOf(), contextOf(true)];
  await expect(explain(context, input())).rejects.toThrow(
    new CommandError("Not verified: signature_mismatch."),
  );
  await expect(explain(asJson, input())).rejects.toThrow(CommandError);
  const { causes } = JSON.parse(asJson.lines[0]!) as {
    causes: { cause: string; message: string; proved: boolean }[];
  };
  expect(causes.length).toBeGreaterThan(0);
  for (const { proved } of causes) expect(proved).toBe(true);
  expect(context.lines).toEqual(causes.map(({ cause, message }) => `${cause}: ${message}`));
});

test("explain says what is only a guess", async () => {
  const input = await save(JSON.stringify(EVENT), { secret: "whsec_of_another" });
  const [context, asJson] = [contextOf(), contextOf(true)];
  await expect(explain(context, input())).rejects.toThrow("Not verified: signature_mismatch.");
  await expect(explain(asJson, input())).rejects.toThrow("Not verified: signature_mismatch.");
  const result = JSON.parse(asJson.lines[0]!) as {
    causes: { cause: string; message: string; proved: boolean }[];
  };
  expect(result).toEqual({
    verified: false,
    reason: "signature_mismatch",
    causes: result.causes.map(({ cause, message }) => ({ cause, message, proved: false })),
  });
  expect(context.lines).toEqual(
    result.causes.map(({ cause, message }) => `${cause} (a guess): ${message}`),
  );
  // Only the time of arrival changes what is said, and only about the time.
  const later = contextOf();
  await expect(explain(later, input({ at: SIGNED_AT }))).rejects.toThrow("signature_mismatch");
  expect(later.lines).toEqual(context.lines);
});

test("explain describes a wrong time of arrival by --at, as a proved cause in JSON too", async () => {
  const context = contextOf(true);
  const at = "2026-11-20T09:00:00Z";
  await expect(explain(context, (await save(JSON.stringify(EVENT)))({ at }))).rejects.toThrow(
    new CommandError("Not verified: timestamp_too_old."),
  );
  expect(JSON.parse(context.lines[0]!)).toEqual({
    verified: false,
    reason: "timestamp_too_old",
    causes: [
      {
        cause: "clock_skew",
        message: `The signature matches, but it was not made within 5 minutes of --at. Correct --at, or treat the delivery as a replay.`,
        proved: true,
      },
    ],
  });
});

test("a secret that cannot sign is a usage error with what is wrong, and without the secret", () => {
  expect(() => verifierOf(new Secret("canary"))).toThrow(UsageError);
  expect(() => verifierOf(new Secret("canary"))).toThrow(/^The signing secret has fewer than 8 /);
  expect(() => verifierOf(new Secret("canary"))).not.toThrow("canary");
});

test("verify shows when a delivery was signed and its event, and no output contains a code", async () => {
  const data = { object: { id: "cpv_1", code: "739104" } };
  const type = "cpni.verification.requested";
  const input = await save(JSON.stringify({ ...EVENT, type, data }));
  const [context, asJson] = [contextOf(), contextOf(true)];
  await verify(context, input());
  await verify(asJson, input());
  expect(context.lines).toEqual([`verified  signed ${SIGNED_AT}  ${type}  evt_1`]);
  expect(JSON.parse(asJson.lines[0]!)).toMatchObject({
    verified: true,
    signed_at: SIGNED_AT,
    event: { id: "evt_1", data: { object: { code: "[redacted]" } } },
  });
  expect(asJson.lines.join()).not.toContain("739104");
});

test("a saved delivery may have any age, unless --at sets its time of arrival", async () => {
  const input = await save(JSON.stringify(EVENT));
  await verify(contextOf(), input());
  await verify(contextOf(), input({ at: "2026-11-20T08:31:00Z" }));
  expect(await errorOf(verify(contextOf(), input({ at: "2026-11-20T09:00:00Z" })))).toMatchObject({
    message: expect.stringContaining("Not verified: timestamp_too_old.") as string,
    cause: { docs: expect.stringContaining("errors/timestamp_too_old.html") as string },
  });
});

test("of a verified delivery, there is nothing to explain, as a line or as JSON", async () => {
  const input = await save(JSON.stringify(EVENT));
  const [context, asJson] = [contextOf(), contextOf(true)];
  await explain(context, input());
  await explain(asJson, input());
  expect(context.lines).toEqual(["verified: nothing to explain"]);
  expect(JSON.parse(asJson.lines[0]!)).toEqual({ verified: true });
});

function saveFile(name: string, content: string | Uint8Array): string {
  const path = join(folder, name);
  writeFileSync(path, content);
  return path;
}

test.each([
  [{ headers: "missing.txt" }, "The file does not exist: --headers needs the name of a file."],
  [{ body: folder }, "cannot be read: --body needs the name of a file."],
  [{ headers: saveFile("bad.txt", "no header") }, "needs lines such as"],
  [{ at: "yesterday" }, "--at is not a time such as"],
])("%j is rejected with one sentence", async (options: Record<string, string>, sentence) => {
  const input = await save(JSON.stringify(EVENT));
  for (const command of [verify, explain]) {
    const error = await errorOf(command(contextOf(), input(options)));
    expect(error).toBeInstanceOf(UsageError);
    expect(String(error)).toContain(sentence);
  }
});

const bytes = saveFile("body.json", new Uint8Array([0, 255, 13, 10]));
const readSaved = (options: Record<string, string>) =>
  readSavedDelivery(testContext(), { arguments: [], options });
async function headersOf(text: string): Promise<Record<string, string>> {
  const { headers } = await readSaved({ headers: saveFile("headers.txt", text), body: bytes });
  return Object.fromEntries(headers as Headers);
}

test.each<[string, string, Record<string, string>]>([
  ["lines", "A: 1\nB: 2", { a: "1", b: "2" }],
  ["lines of a saved request", "POST /hooks HTTP/1.1\r\nA: 1\r\n\r\n", { a: "1" }],
  ["lines with blanks", "\n  A :  1 \t\n \nB:2", { a: "1", b: "2" }],
  ["a value with a colon", "a: http://x.test:1/", { a: "http://x.test:1/" }],
  ["no value", "a:", { a: "" }],
  ["a value like a request line", "x-note: GET / HTTP/1.1", { "x-note": "GET / HTTP/1.1" }],
  ["a value like JSON", 'a: {"b":1}', { a: '{"b":1}' }],
  ["a name that comes twice", "a: 1\na: 2", { a: "1, 2" }],
  ["a request line with a colon", "GET http://x.test/ HTTP/1.1\na: 1", { a: "1" }],
  ["JSON", '{"A":"1","b":2}', { a: "1", b: "2" }],
  ["JSON after blanks", ' \n{"a":"1"}', { a: "1" }],
  ["JSON with lists", '{"a":["1","2"],"b":[]}', { a: "1, 2" }],
  ["an empty object", "{}", {}],
])("headers may be %s", async (_what, text, headers) => {
  expect(await headersOf(text)).toEqual(headers);
});

test.each([
  ["a line without a colon", "a: 1\nhello"],
  ["a line without a name", ": 1"],
  ["the pseudo-header of HTTP/2", ":method: POST"],
  ["a name with a blank", "a b: 1"],
  ["a request line in lower case", "post /hooks HTTP/1.1"],
  ["a request line without its version", "POST /hooks"],
  ["words before a request line", "x POST /hooks HTTP/1.1"],
  ["half of an object", '{"a":'],
  ["a list", '["a: 1"'],
])("%s is rejected with the form of a line, and is not quoted", async (_what, text) => {
  await expect(headersOf(text)).rejects.toThrow(
    new UsageError(
      'The --headers file needs lines such as "Platform-Signature: t=…", or a JSON object.',
    ),
  );
});
