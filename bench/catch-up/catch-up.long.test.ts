import { once } from "node:events";
import { startSandbox } from "@fieldmesh/sandbox";
import { postgresInbox, postgresTables } from "@fieldmesh/webhook-types/stores";
import pg from "pg";
import { afterAll, expect, test } from "vitest";
import { startPostgres } from "../../tools/servers.ts";
import { describeWith } from "../../tools/testing/describe-with.ts";
import { startChild } from "../support/child.ts";

/** One event in this many was handled before the receiver went down. */
const HANDLED_BEFORE = 10;
/** It is killed when one in this many is handled. */
const KILLED_AT = 2.5;

/** The events that a receiver has missed. */
const COUNT = process.env["LONG_TESTS"] === "yes" ? 10_000 : 2_000;

const postgres = await startPostgres();
afterAll(async () => {
  if (postgres.url !== undefined) await postgres.stop();
});

describeWith(postgres, "PostgreSQL", (url) => {
  test(`${COUNT} events that a receiver missed are each handled once, through a kill in the middle`, () =>
    expectCaughtUp(url, COUNT));
});

/** Handles events that a receiver missed, with a kill in the middle, and fails unless each was handled once. */
async function expectCaughtUp(postgresUrl: string, count: number): Promise<void> {
  const pool = new pg.Pool({ connectionString: postgresUrl });
  pool.on("error", () => {});
  await pool.query(postgresTables());
  await pool.query("CREATE TABLE effects (event_id text)");
  await using sandbox = await startSandbox();
  for (let index = 0; index < count; index++)
    sandbox.webhooks.emit("plan.created", { object: { id: `plan_${index}` } });
  // The receiver handled these before it went down.
  const inbox = postgresInbox(pool);
  for (const { id } of sandbox.webhooks.events().slice(0, count / HANDLED_BEFORE))
    await inbox.run(
      id,
      async () => void (await pool.query("INSERT INTO effects VALUES ($1)", [id])),
    );

  const { baseUrl, apiKey } = sandbox.mobile;
  const run = () => startChild("catch-up/child.ts", { baseUrl, apiKey, postgresUrl });
  const first = run();
  first.on("message", (handled) => {
    if (handled === count / KILLED_AT) first.kill("SIGKILL");
  });
  expect(await once(first, "exit")).toEqual([null, "SIGKILL"]);
  // Two at the same time, as if an operator started the second one too early.
  const again = [run(), run()];
  const codes = await Promise.all(again.map((child) => once(child, "exit")));
  expect(codes).toEqual([
    [0, null],
    [0, null],
  ]);

  const { rows } = await pool.query(
    "SELECT count(*)::int AS all, count(DISTINCT event_id)::int AS distinct FROM effects",
  );
  expect(rows).toEqual([{ all: count, distinct: count }]);
  await pool.end();
}
