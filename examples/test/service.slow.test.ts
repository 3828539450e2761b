import { spawn, type ChildProcess } from "node:child_process";
import { once } from "node:events";
import { join } from "node:path";
import { startSandbox, systemClock, type Clock, type RunningSandbox } from "@fieldmesh/sandbox";
import { signedRequest } from "@fieldmesh/webhook-types";
import { sampleEvent } from "@fieldmesh/webhook-types/samples";
import pg from "pg";
import { afterAll, beforeAll, expect, test, vi } from "vitest";
import { freePort, startPostgres } from "../../tools/servers.ts";
import { describeWith } from "../../tools/testing/describe-with.ts";
import { runExample } from "./run.ts";

// The service of the guide, as it is, with PostgreSQL and a sandbox.

const main = join(import.meta.dirname, "..", "service", "main.ts");
const PATIENCE = { timeout: 20_000, interval: 100 };
const ATTEMPTS = 5;
const secret = "whsec_test_secret_only";
const database = await startPostgres();
afterAll(async () => {
  if (database.url !== undefined) await database.stop();
});

interface Running {
  readonly child: ChildProcess;
  readonly origin: string;
  readonly metrics: () => Promise<string>;
}

/** Starts the receiver, and waits until it accepts connections. */
async function start(env: Record<string, string>): Promise<Running> {
  const [port, metricsPort] = [await freePort(), await freePort()];
  const child = spawn(process.execPath, [main], {
    env: {
      ...process.env,
      NODE_OPTIONS: "",
      ...env,
      PORT: `${port}`,
      METRICS_PORT: `${metricsPort}`,
    },
    stdio: ["ignore", "ignore", "ignore"],
  });
  const origin = `http://127.0.0.1:${port}`;
  await vi.waitFor(() => fetch(origin), PATIENCE);
  const metrics = async () => (await fetch(`http://127.0.0.1:${metricsPort}/metrics`)).text();
  return { child, origin, metrics };
}

describeWith(database, "PostgreSQL", (url) => {
  const pool = new pg.Pool({ connectionString: url });
  let sandbox: RunningSandbox<Clock>;
  let env: Record<string, string>;
  let service: Running;

  beforeAll(async () => {
    sandbox = await startSandbox({ clock: systemClock });
    env = {
      DATABASE_URL: url,
      WEBHOOK_SECRET: secret,
      MOBILE_URL: sandbox.mobile.baseUrl,
      MOBILE_KEY: sandbox.mobile.apiKey,
      EVENTS_KEY: Buffer.alloc(32, 7).toString("base64"),
    };
    const { code, output } = await runExample("service/main.ts", ["migrate"], env);
    if (code !== 0) throw new Error(output);
    service = await start(env);
  }, 60_000);
  afterAll(async () => {
    service.child.kill("SIGKILL");
    await Promise.all([pool.end(), sandbox.close()]);
  });

  const rows = async (id: string) =>
    (await pool.query("SELECT locked_status FROM subscribers WHERE id = $1", [id])).rows;
  const run = (command: string) => runExample("service/main.ts", [command], env);
  const locked = (id: string) => ({ data: { object: { id } } });

  test("a webhook becomes a row, and the service is ready while its database responds", async () => {
    const endpoint = sandbox.webhooks.register({ url: `${service.origin}/hooks`, secret });
    await sandbox.webhooks.trigger("subscriber.locked", locked("sub_1"));
    await vi.waitFor(async () => expect(await rows("sub_1")).toHaveLength(1), PATIENCE);
    sandbox.webhooks.unregister(endpoint.id);
    expect((await fetch(`${service.origin}/ready`)).status).toBe(200);
    const without = await start({ ...env, DATABASE_URL: "postgres://127.0.0.1:1/none" });
    expect((await fetch(`${without.origin}/ready`)).status).toBe(503);
    without.child.kill("SIGKILL");
  });

  test("an event that keeps failing is listed, counted, and handled when it is run again", async () => {
    await pool.query("ALTER TABLE subscribers ADD CONSTRAINT broken CHECK (false) NOT VALID");
    const event = sampleEvent("subscriber.locked", { id: "evt_aside", ...locked("sub_2") });
    const outcomes: string[] = [];
    for (let attempt = 1; attempt <= ATTEMPTS; attempt++) {
      const request = await signedRequest(event, { url: `${service.origin}/hooks`, secret });
      outcomes.push(await (await fetch(request)).text());
    }
    expect(outcomes.at(-1)).toBe("set_aside");
    expect((await run("aside")).output).toContain("evt_aside");
    const metrics = await service.metrics();
    expect(metrics).toMatch(/^service_events_aside\{[^}]*\} 1$/m);
    expect(metrics).toMatch(/^messaging_client_consumed_messages_total\{[^}]*error_type="failed"/m);

    await pool.query("ALTER TABLE subscribers DROP CONSTRAINT broken");
    const again = await run("again");
    expect(again).toEqual({ code: 0, output: "subscriber.locked  evt_aside  handled\n" });
    expect(await rows("sub_2")).toHaveLength(1);
    expect((await run("aside")).output).not.toContain("evt_aside");
  });

  test("the night handles what never arrived, and nothing twice", async () => {
    await sandbox.webhooks.trigger("subscriber.locked", locked("sub_3"));
    const first = await run("nightly");
    expect([first.code, first.output]).toEqual([0, expect.stringContaining("handled")]);
    expect(JSON.parse(first.output)).toMatchObject({ failed: 0, not_parsed: 0 });
    expect(await rows("sub_3")).toHaveLength(1);
    expect(JSON.parse((await run("nightly")).output)).toMatchObject({ handled: 0 });
  });

  test("a missing setting and an unknown command say what to do", async () => {
    const { code, output } = await runExample("service/main.ts", ["nightly"], {
      ...env,
      MOBILE_KEY: "",
    });
    expect([code, output]).toEqual([1, expect.stringContaining("Set MOBILE_KEY")]);
    expect(await run("night")).toEqual({
      code: 2,
      output: "There is no command night. Use one of migrate, nightly, aside, again.\n",
    });
  });

  test("SIGTERM ends the service", async () => {
    const exit = once(service.child, "exit");
    service.child.kill("SIGTERM");
    expect(await exit).toEqual([0, null]);
  });
});
