// The programs with several workers, on a real Redis and a real PostgreSQL.
import { spawn, type ChildProcess } from "node:child_process";
import { randomBytes } from "node:crypto";
import { once } from "node:events";
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { createConsoleClient } from "@fieldmesh/console-client";
import { startSandbox, type ConsoleOptions, type RunningSandbox } from "@fieldmesh/sandbox";
import pg from "pg";
import { afterAll, describe, expect, test } from "vitest";
import { startPostgres, startRedis } from "../../tools/servers.ts";

const [redis, postgres] = await Promise.all([startRedis(), startPostgres()]);
const servers = [
  { name: "BullMQ", server: redis },
  { name: "pg-boss", server: postgres },
];
const folder = mkdtempSync(join(tmpdir(), "fieldmesh-workers-"));
const children = new Set<ChildProcess>();

afterAll(async () => {
  for (const child of children) child.kill("SIGKILL");
  rmSync(folder, { recursive: true, force: true });
  for (const { server } of servers) if (server.url !== undefined) await server.stop();
});

const LEASE_MS = 6_000;
const FAST = 1_000_000;
/** Those that take half a minute run on one queue each. The release tier runs all of them on both. */
const isRunWith = (name: string, chosen: string): boolean =>
  name === chosen || process.env["LONG_TESTS"] === "yes";

function startConsole(options: ConsoleOptions = {}, delay = 0): Promise<RunningSandbox> {
  return startSandbox({
    seed: 1,
    ...(delay > 0 && { faults: { rate: 1, kinds: [{ kind: "delay", ms: delay }] } }),
    console: { data: "empty", duplicates: "allowed", requestsPerMinute: FAST, ...options },
  });
}

/** Writes a file with this many devices. Their EUIs differ from those of other tests, and so do the ids of their jobs. */
function writeInventory(name: string, count: number): string {
  const file = join(folder, `${name}.csv`);
  const rows = Array.from({ length: count }, (_, number) =>
    [
      `Tank ${number}`,
      randomBytes(8).toString("hex"),
      "70B3D57ED0010001",
      randomBytes(16).toString("hex"),
    ].join(),
  );
  writeFileSync(file, ["name,dev_eui,app_eui,app_key", ...rows].join("\n"));
  return file;
}

let databases = 0;

/** A database of its own for each test, because a worker runs the jobs of any import. */
async function openDatabase(server: string): Promise<string> {
  databases++;
  const url = new URL(server);
  url.pathname = url.protocol === "redis:" ? `${databases}` : `test${databases}`;
  if (url.protocol === "redis:") return url.href;
  const client = new pg.Client({ connectionString: server });
  await client.connect();
  await client.query(`CREATE DATABASE test${databases}`);
  await client.end();
  return url.href;
}

interface Program {
  readonly child: ChildProcess;
  output(): string;
  readonly ended: Promise<number | null>;
}

function start(
  { console: { baseUrl }, apiKey }: RunningSandbox,
  url: string,
  args: readonly string[],
  env: Readonly<Record<string, string>> = {},
): Program {
  const [program = "", ...rest] = args;
  const child = spawn(process.execPath, [join(import.meta.dirname, "..", program), ...rest], {
    env: {
      ...process.env,
      NODE_OPTIONS: "",
      CONSOLE_URL: baseUrl,
      CONSOLE_KEY: apiKey,
      QUEUE_URL: url,
      JOB_KEY: "0f".repeat(32),
      LEASE_MS: `${LEASE_MS}`,
      CONSOLE_LIMIT: `${FAST}`,
      ...env,
    },
  });
  children.add(child);
  let output = "";
  for (const stream of [child.stdout, child.stderr])
    stream.on("data", (chunk: Buffer) => (output += chunk.toString()));
  const ended = once(child, "close").then(([code]) => code as number | null);
  return { child, ended, output: () => output };
}

async function until(isTrue: () => boolean): Promise<void> {
  while (!isTrue()) await sleep(50);
}

/** How often each device of an inventory is in the console. */
function countsOf({ console: { state } }: RunningSandbox, file: string): number[] {
  const counts = new Map<string, number>();
  for (const { dev_eui } of state.devices.values()) {
    const eui = dev_eui.toUpperCase();
    counts.set(eui, (counts.get(eui) ?? 0) + 1);
  }
  const [, ...rows] = readFileSync(file, "utf8").split("\n");
  return rows.map((row) => counts.get(row.split(",")[1]!.toUpperCase()) ?? 0);
}

const onceEach = (count: number): number[] => Array.from({ length: count }, () => 1);

function expectNoKeys(output: string, file: string): void {
  for (const row of readFileSync(file, "utf8").split("\n").slice(1))
    expect(output.toUpperCase()).not.toContain(row.split(",")[3]!.toUpperCase());
}

// They wait most of the time, for leases that end.
describe.concurrent.each(servers)("with $name", ({ name, server }) => {
  test("three workers create each device once, although one is killed and one is paused", async (context) => {
    if (server.url === undefined) return context.skip(server.missing);
    const url = await openDatabase(server.url);
    const [count, size] = [90, 10];
    const file = writeInventory(`${name}-kill`, count);
    await using sandbox = await startConsole({}, 300);
    const main = start(sandbox, url, [
      "import-with-workers.ts",
      file,
      "--size",
      `${size}`,
      "--workers",
      "0",
    ]);
    // It is paused while its request is on its way. Between the check of its lease and its request, it would send that when it goes on.
    const paused = start(sandbox, url, ["import-worker.ts"]);
    await until(() => sandbox.log.count > 0);
    paused.child.kill("SIGSTOP");
    const [killed, other] = [1, 2].map(() => start(sandbox, url, ["import-worker.ts"])) as [
      Program,
      Program,
    ];
    await until(() => sandbox.console.state.devices.size > size);
    killed.child.kill("SIGKILL");
    await sleep(LEASE_MS * 1.5);
    paused.child.kill("SIGCONT");

    // Without its workers, it would wait forever.
    const alive = [paused, other];
    const gone = alive.map(async (each) => `code ${await each.ended}: ${each.output()}`);
    expect(await Promise.race([main.ended, ...gone])).toBe(0);
    expect(main.output()).toContain(`of 9 jobs`);
    expect(main.output()).toContain(
      `${count} devices: ${count} created, 0 skipped, 0 failed, 0 unknown`,
    );
    expect(countsOf(sandbox, file)).toEqual(onceEach(count));
    expectNoKeys(main.output() + [killed, ...alive].map((each) => each.output()).join(""), file);
    for (const each of alive) {
      each.child.kill("SIGTERM");
      expect(await each.ended).toBe(0);
    }
  });

  test.runIf(isRunWith(name, "pg-boss"))(
    "Ctrl-C cancels an import, and the same command resumes it",
    async (context) => {
      if (server.url === undefined) return context.skip(server.missing);
      const url = await openDatabase(server.url);
      const count = 60;
      const file = writeInventory(`${name}-cancel`, count);
      await using sandbox = await startConsole({}, 300);
      const args = ["import-with-workers.ts", file, "--size", "5", "--workers", "2"];
      const canceled = start(sandbox, url, args);
      await until(() => sandbox.console.state.devices.size > 0);
      canceled.child.kill("SIGINT");
      expect(await canceled.ended).toBe(130);
      expect(canceled.output()).toMatch(/\d+ jobs are not done: start the same command again/);
      const before = sandbox.console.state.devices.size;
      expect(before).toBeLessThan(count);

      const resumed = start(sandbox, url, args);
      expect(await resumed.ended).toBe(0);
      expect(resumed.output()).toContain(`${count} devices: ${count} created`);
      expect(countsOf(sandbox, file)).toEqual(onceEach(count));

      // Once more: the queue has all reports, and nothing is sent.
      const requests = sandbox.log.count;
      const again = start(sandbox, url, args);
      expect(await again.ended).toBe(0);
      expect(again.output()).toContain(`${count} devices: ${count} created`);
      expect(sandbox.log.count).toBe(requests);
    },
  );

  test("a worker with another key gives the job up, says why, and sends nothing", async (context) => {
    if (server.url === undefined) return context.skip(server.missing);
    const url = await openDatabase(server.url);
    const file = writeInventory(`${name}-key`, 3);
    await using sandbox = await startConsole();
    const main = start(sandbox, url, ["import-with-workers.ts", file, "--workers", "0"]);
    const worker = start(sandbox, url, ["import-worker.ts"], { JOB_KEY: "1e".repeat(32) });
    expect(await main.ended).toBe(1);
    expect(main.output()).toMatch(/job [\da-f-]{36}: The job [\da-f-]{36} cannot be decrypted/);
    expect(main.output()).toContain("1 jobs are not done");
    expect(sandbox.log.count).toBe(0);
    worker.child.kill("SIGTERM");
    await worker.ended;
    // With the right key, the same command does it.
    const right = start(sandbox, url, ["import-with-workers.ts", file, "--workers", "1"]);
    expect(await right.ended).toBe(0);
  });

  test("a queue that cannot be reached ends the program before anything is sent", async (context) => {
    if (server.url === undefined) return context.skip(server.missing);
    const file = writeInventory(`${name}-down`, 3);
    await using sandbox = await startConsole();
    const { protocol } = new URL(server.url);
    const down = `${protocol}//user:hunter2@127.0.0.1:1/postgres`;
    const main = start(sandbox, down, ["import-with-workers.ts", file]);
    expect(await main.ended).toBe(1);
    expect(main.output()).toContain("The queue at 127.0.0.1:1 cannot be reached");
    expect(main.output()).not.toContain("hunter2");
    expect(sandbox.log.count).toBe(0);
  });

  test.runIf(isRunWith(name, "BullMQ"))(
    "a night creates what is missing and labels what is too much, and the next has nothing to do",
    async (context) => {
      if (server.url === undefined) return context.skip(server.missing);
      const url = await openDatabase(server.url);
      const file = writeInventory(`${name}-night`, 25);
      await using sandbox = await startConsole({ data: "fleet" });
      const others = sandbox.console.state.devices.size;
      const args = ["reconcile-nightly.ts", file, "--size", "10", "--workers", "2"];
      const first = start(sandbox, url, args);
      expect(await first.ended).toBe(0);
      expect(first.output()).toContain(`25 devices in the inventory, ${others} in the console`);
      expect(first.output()).toContain("25 devices: 25 created");
      expect(first.output()).toContain(`${others} labeled, 0 labels removed`);
      expect(countsOf(sandbox, file)).toEqual(onceEach(25));

      // The same devices are missing again: the jobs have the same ids.
      const client = createConsoleClient(sandbox.console);
      const inventory = readFileSync(file, "utf8").toUpperCase();
      const wanted = (await client.devices.list()).filter(({ dev_eui }) =>
        inventory.includes(dev_eui.toUpperCase()),
      );
      await client.devices.deleteMany(wanted);
      const second = start(sandbox, url, args);
      expect(await second.ended).toBe(0);
      expect(second.output()).toContain("25 devices: 25 created");
      expect(second.output()).toContain("0 labeled, 0 labels removed");
      expect(countsOf(sandbox, file)).toEqual(onceEach(25));
    },
  );
});
