import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { sign } from "@fieldmesh/webhook-types";
import { afterAll, expect, test } from "vitest";
import { canaries } from "../../../../../tools/canaries/canaries.ts";
import { UsageError } from "../command-error.ts";
import { testContext } from "../testing/context.ts";
import { run as explain } from "./explain.ts";
import { run as verify } from "./verify.ts";
import { temporaryFolder } from "../../../../../tools/testing/temporary-folder.ts";

const SECRET = canaries.webhookSecret;
const env = { FIELDMESH_WEBHOOK_SECRET: SECRET };
const folder = temporaryFolder(afterAll);

const BODY = JSON.stringify({
  id: "evt_1",
  type: "cpni.verification.requested",
  created_at: "2026-11-20T08:30:00Z",
  livemode: true,
  data: { object: { id: "cpv_1", code: "739104" } },
  idempotency_key: "idem_1",
});
const SIGNED_AT = "2026-11-20T08:30:05.000Z";
const { "platform-signature": signature = "" } = await sign({
  secret: SECRET,
  body: BODY,
  timestamp: Date.parse(SIGNED_AT) / 1_000,
});

function save(name: string, text: string): string {
  const path = join(folder, name);
  writeFileSync(path, text);
  return path;
}

const body = save("body.json", BODY);
const headers = save(
  "headers.txt",
  `POST /hooks HTTP/1.1\r\nHost: example.com\r\nPlatform-Signature: ${signature}\r\n\r\n`,
);
const input = (options: Record<string, string> = {}) => ({
  arguments: [],
  options: { headers, body, ...options },
});

test("verify shows when a delivery was signed, and its event", async () => {
  const context = testContext({ env });
  await verify(context, input());
  expect(context.lines).toEqual([
    `verified  signed ${SIGNED_AT}  cpni.verification.requested  evt_1`,
  ]);
});

test("headers may be a JSON object, and JSON output contains no code", async () => {
  const context = testContext({ env, isJson: true });
  for (const value of [signature, [signature]]) {
    const json = save("headers.json", JSON.stringify({ "Platform-Signature": value, host: "x" }));
    await verify(context, input({ headers: json }));
  }
  expect(JSON.parse(context.lines[1]!)).toMatchObject({
    verified: true,
    signed_at: SIGNED_AT,
    event: { id: "evt_1", data: { object: { code: "[redacted]" } } },
  });
  expect(context.lines.join()).not.toContain("739104");
});

test("a saved delivery may have any age, unless --at sets its time of arrival", async () => {
  await verify(testContext({ env }), input({ at: "2026-11-20T08:31:00Z" }));
  await expect(verify(testContext({ env }), input({ at: "2026-11-20T09:00:00Z" }))).rejects.toThrow(
    "Not verified: timestamp_too_old.",
  );
  await expect(
    verify(testContext({ env }), input({ at: "2026-11-20T09:00:00Z" })),
  ).rejects.toMatchObject({
    cause: { docs: expect.stringContaining("errors/timestamp_too_old.html") as string },
  });
  const context = testContext({ env });
  await expect(explain(context, input({ at: "2026-11-20T09:00:00Z" }))).rejects.toThrow(
    "timestamp_too_old",
  );
  // The clock of this machine was not used.
  expect(context.lines[0]).toBe(
    "clock_skew: The signature matches, but it was not made within 5 minutes of --at. Correct --at, or treat the delivery as a replay.",
  );
});

test("explain names the change that makes the signature valid", async () => {
  const context = testContext({ env });
  await explain(context, input());
  expect(context.lines).toEqual(["verified: nothing to explain"]);
  const parsed = save("parsed.json", JSON.stringify(JSON.parse(BODY), null, 2));
  const failing = input({ body: parsed });
  await expect(verify(context, failing)).rejects.toThrow("Not verified: signature_mismatch.");
  await expect(explain(context, failing)).rejects.toThrow("Not verified: signature_mismatch.");
  const asJson = testContext({ env, isJson: true });
  await expect(explain(asJson, failing)).rejects.toThrow("signature_mismatch");
  expect(JSON.parse(asJson.lines[0]!)).toMatchObject({
    verified: false,
    reason: "signature_mismatch",
    causes: [{ proved: true }],
  });
  const fitting = testContext({ env, isJson: true });
  await explain(fitting, input());
  expect(JSON.parse(fitting.lines[0]!)).toEqual({ verified: true });
  expect([...context.lines, ...asJson.lines].join()).not.toContain("739104");
});

test("a signed body that is not an event is reported without its content", async () => {
  const text = '{"code":"739104"}';
  const other = await sign({ secret: SECRET, body: text });
  const files = {
    body: save("other.json", text),
    headers: save("other.txt", `platform-signature: ${other["platform-signature"]}`),
  };
  const verifying = verify(testContext({ env }), input(files));
  await expect(verifying).rejects.toThrow("The signature matches, but the body is not an event");
  await expect(verifying).rejects.not.toThrow("739104");
});

test.each([
  [{ headers: "missing.txt" }, "The file does not exist: --headers needs the name of a file."],
  [{ body: folder }, "cannot be read: --body needs the name of a file."],
  [{ headers: save("bad.txt", "no header") }, "needs lines such as"],
  [{ at: "yesterday" }, "--at is not a time such as"],
])("%j is rejected with one sentence", async (options: Record<string, string>, sentence) => {
  for (const command of [verify, explain]) {
    const running = command(testContext({ env }), input(options));
    await expect(running).rejects.toThrow(sentence);
    await expect(running).rejects.toBeInstanceOf(UsageError);
  }
});
