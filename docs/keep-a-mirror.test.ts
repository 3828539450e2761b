import { readFileSync } from "node:fs";
import { join } from "node:path";
import { startSandbox, type RunningSandbox } from "@fieldmesh/sandbox";
import { signedRequest } from "@fieldmesh/webhook-types";
import type { Mirror } from "@fieldmesh/mirror";
import type { Receiver } from "@fieldmesh/webhook-types/receiver";
import { sampleEvent } from "@fieldmesh/webhook-types/samples";
import { postgresTables } from "@fieldmesh/webhook-types/stores";
import type pg from "pg";
import { afterAll, beforeAll, expect, test, vi } from "vitest";
import { startPostgres } from "../tools/servers.ts";
import { describeWith } from "../tools/testing/describe-with.ts";
import { environmentOf } from "./sample-environment.ts";
import { createProgramFolder } from "./program-folder.ts";

// The program of the guide, as it is, on a real PostgreSQL.

const secret = "whsec_test_secret_only";
const importProgram = createProgramFolder();
const guide = readFileSync(join(import.meta.dirname, "guides", "keep-a-mirror.md"), "utf8");
const [, code = ""] = /^```ts check\n([^]*?)^```$/m.exec(guide) ?? [];
const [view = "", user = ""] = [...guide.matchAll(/^```sql\n([^]*?)^```$/gm)].map(
  ([, sql = ""]) => sql,
);
const packageFolder = join(import.meta.dirname, "node_modules", "@fieldmesh", "mirror");
const scripts = [...guide.matchAll(/^psql .* -f (\S+)/gm)].map(([, file = ""]) => file);
const server = await startPostgres();
afterAll(async () => {
  if (server.url !== undefined) await server.stop();
});

interface Program {
  readonly pool: pg.Pool;
  readonly mirror: Mirror;
  readonly receive: Receiver;
  readonly everyNight: () => Promise<Readonly<Record<string, number>>>;
  readonly repair: () => Promise<void>;
}

describeWith(server, "PostgreSQL", (url) => {
  let program: Program;
  let sandbox: RunningSandbox;
  beforeAll(async () => {
    sandbox = await startSandbox();
    const environment = { ...environmentOf(sandbox), DATABASE_URL: url, WEBHOOK_SECRET: secret };
    for (const [name, value] of Object.entries(environment)) vi.stubEnv(name, value);
    program = await importProgram<Program>("program", code);
    for (const file of scripts)
      await program.pool.query(readFileSync(join(packageFolder, file), "utf8"));
    await program.pool.query(postgresTables() + view);
  });
  afterAll(async () => {
    vi.useRealTimers();
    vi.unstubAllEnvs();
    await program.pool.end();
    await sandbox.close();
  });

  const query = async (sql: string): Promise<unknown[]> => (await program.pool.query(sql)).rows;

  test("a delivery and the night fill the mirror, and a view of the user reads it", async () => {
    const event = sampleEvent("plan.updated", {
      livemode: true,
      data: { object: { id: "plan_1", name: "Basic" } },
    } as object);
    const request = await signedRequest(event, { url: "http://127.0.0.1/", secret });
    expect(await (await program.receive(request)).text()).toBe("handled");
    expect(await query("SELECT * FROM plans")).toEqual([
      { id: "plan_1", name: "Basic", is_deleted: false },
    ]);
    await sandbox.webhooks.trigger("sim.restored", { data: { object: { id: "sim_1" } } });
    vi.setSystemTime(sandbox.clock.now());
    await program.everyNight();
    expect(await query("SELECT id, msisdn FROM fieldmesh_sims WHERE id = 'sim_1'")).toEqual([
      { id: "sim_1", msisdn: "+12025550143" },
    ]);
  });

  test("the query for the user of a SIM shows the member, and the subscription that goes on", async () => {
    const object = { id: "sim_1", subscriber_id: "payer", holder_subscriber_id: "member" };
    await sandbox.clock.advance(1_000);
    await sandbox.webhooks.trigger("sim.reassigned", {
      data: {
        object: { ...object, subscription_id: "subn_2" },
        previous_attributes: { subscription_id: "subn_1", subscription_status: "active" },
      },
    });
    await sandbox.webhooks.trigger("subscription.paused", {
      data: { object: { id: "subn_1", status: "paused" } },
    });
    vi.setSystemTime(sandbox.clock.now());
    await program.everyNight();
    expect(await query(user)).toEqual([
      { user_id: "member", mirrored_subscription_id: "subn_1", status: "paused" },
    ]);
  });

  test("neither a catch-up nor a repair brings back what an erasure has cleared", async () => {
    const object = { id: "sim_2", subscriber_id: "sub_2", holder_subscriber_id: "sub_2" };
    await sandbox.webhooks.trigger("sim.restored", { data: { object } });
    await sandbox.clock.advance(1_000);
    await sandbox.webhooks.trigger("subscriber.redacted", { data: { object: { id: "sub_2" } } });
    vi.setSystemTime(sandbox.clock.now());
    await program.everyNight();
    const msisdn = () => query("SELECT msisdn FROM fieldmesh_sims WHERE id = 'sim_2'");
    expect(await msisdn()).toEqual([{ msisdn: null }]);
    await program.pool.query("DELETE FROM fieldmesh_events");
    await program.pool.query("DELETE FROM fieldmesh_mirror WHERE id = 'sim_2'");
    await program.everyNight();
    expect(await msisdn()).toEqual([{ msisdn: null }]);
    await program.pool.query("DELETE FROM fieldmesh_mirror WHERE id = 'sim_2'");
    vi.spyOn(console, "log").mockImplementation(() => {});
    await program.repair();
    vi.restoreAllMocks();
    expect(await msisdn()).toEqual([{ msisdn: null }]);
  });
});
