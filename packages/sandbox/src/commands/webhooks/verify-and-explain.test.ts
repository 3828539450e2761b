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
  const error = await errorOf(verify(contextOf(), (await save("[]"))()));
  expect(error).toMatchObject({ exitCode: 1, cause: { name: "EventParseError" } });
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
