// The programs of the two guides for queues, in a user's project with the packed packages, on real servers.
import { spawn } from "node:child_process";
import { randomBytes } from "node:crypto";
import { once } from "node:events";
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { parseEnv } from "node:util";
import { afterAll, beforeAll, expect, onTestFinished, test, vi } from "vitest";
import { freePort, startPostgres, startRedis } from "../servers.ts";
import { exec } from "../exec.ts";
import { install, tarballs } from "../install.ts";
import { root } from "../packages.ts";

const OTHERS = ["bullmq", "csv-parse", "ioredis", "pg", "pg-boss"];
const SANDBOX = "node_modules/@fieldmesh/sandbox/bin/fieldmesh-sandbox.js";
const SECRET = "whsec_test";
const DEVICES = 600;
/** Milliseconds. The job of a killed worker waits for its lease, the next look for dead workers, and `settleTime`. */
const LONGEST_RUN = 3 * 60_000;
const TITLED = /^```ts check \[(?<file>.+)\]\n(?<code>[^]*?)^```$/gm;
const UNTITLED = /^```ts check\n(?<code>[^]*?)^```$/gm;

const folder = mkdtempSync(join(tmpdir(), "fieldmesh-queues-"));
const servers = await Promise.all([startRedis(), startPostgres()]);
const isMissing = servers.some(({ url }) => url === undefined);
const [REDIS_URL = "", DATABASE_URL = ""] = servers.map(({ url }) => url);
const env = { REDIS_URL, DATABASE_URL, WEBHOOK_SECRET: SECRET, JOB_KEY: "5a".repeat(32) };

beforeAll(async () => {
  const others = OTHERS.map((name) => {
    const manifest = readFileSync(join(root, "docs/node_modules", name, "package.json"), "utf8");
    return [name, (JSON.parse(manifest) as { version: string }).version];
  });
  const dependencies = { ...tarballs, ...Object.fromEntries(others) };
  writeFileSync(join(folder, "package.json"), JSON.stringify({ type: "module", dependencies }));
  await install(folder);
}, 5 * 60_000);
afterAll(async () => {
  for (const server of servers) if (server.url !== undefined) await server.stop();
  rmSync(folder, { recursive: true });
});

test.skipIf(isMissing).each(["BullMQ", "pg-boss"])(
  "the import with %s creates each device once, although a worker is killed",
  { timeout: LONGEST_RUN },
  async (queue) => {
    for (const { file = "", code = "" } of programs("many-workers", queue, TITLED))
      write(file, code.replace("size: 1_000", "size: 100"));
    const rows = Array.from({ length: DEVICES }, (_, number) =>
      [
        `Tank ${number}`,
        randomBytes(8).toString("hex"),
        "70B3D57ED0010001",
        "2B".repeat(16),
      ].join(),
    );
    write("devices.csv", ["name,dev_eui,app_eui,app_key", ...rows].join("\n"));
    const sandbox = await startSandbox(
      "--console-data=empty",
      "--console-duplicates=allowed",
      "--latency=3000",
    );

    const workers = [1, 2, 3].map(() => start(["worker.ts"], sandbox.env));
    const run = start(["import.ts", "devices.csv"], sandbox.env);
    await vi.waitFor(() => expect(sandbox.output()).toContain("devices.createBatch"), 60_000);
    workers[0]!.child.kill("SIGKILL");
    await once(run.child, "close");
    expect(run.output()).toContain(`${DEVICES} created, 0 failed\n0 unknown, 0 jobs missing\n`);
    const response = await fetch(`${sandbox.env["CONSOLE_URL"]}/api/v1/devices`, {
      headers: { key: sandbox.env["CONSOLE_KEY"]! },
    });
    const devices = (await response.json()) as { dev_eui: string }[];
    expect(devices).toHaveLength(DEVICES);
    expect(new Set(devices.map(({ dev_eui }) => dev_eui)).size).toBe(DEVICES);
  },
);

test.skipIf(isMissing).each(["BullMQ", "pg-boss"])(
  "an event that the sandbox delivers is written through %s",
  { timeout: LONGEST_RUN },
  async (queue) => {
    const page = "webhooks-through-a-queue";
    const [receiver, worker] = programs(page, queue, UNTITLED);
    const [, , server, tables] = programs(page, "BullMQ", UNTITLED);
    const port = await freePort();
    write("receiver.ts", receiver!["code"]!);
    write("worker.ts", worker!["code"]!);
    write("server.ts", server!["code"]!.replace("3000", `${port}`));
    write("tables.ts", tables!["code"]!);
    await exec(process.execPath, ["tables.ts"], { cwd: folder, env });
    await query("DELETE FROM sims");

    const url = `http://127.0.0.1:${port}/hooks`;
    for (const file of ["server.ts", "worker.ts"]) start([file]);
    await vi.waitFor(() => fetch(url), 60_000);
    const sandbox = await startSandbox(`--webhook=${url}`, `--secret=${SECRET}`, `--seed=${queue}`);
    await exec(process.execPath, [SANDBOX, "trigger", "sim.activated"], {
      cwd: folder,
      env: sandbox.env,
    });
    const written = async (): Promise<void> =>
      expect(await query("SELECT state FROM sims")).toBe('[{"state":"active"}]\n');
    await vi.waitFor(written, { timeout: 60_000, interval: 500 });
  },
);

/** The programs of a section of a guide. */
function programs(page: string, heading: string, block: RegExp): Record<string, string>[] {
  const guide = readFileSync(join(root, "docs/guides", `${page}.md`), "utf8");
  const [, text = ""] = guide.split(new RegExp(`\n## (?:With )?${heading}\n`));
  const [section = ""] = text.split("\n## ");
  return [...section.matchAll(block)].map(({ groups = {} }) => groups);
}

function write(file: string, content: string): void {
  writeFileSync(join(folder, file), content);
}

/** Starts a program of the project. It ends with the test. */
function start(args: readonly string[], more: NodeJS.Dict<string> = {}) {
  const child = spawn(process.execPath, args, {
    cwd: folder,
    env: { ...process.env, NODE_OPTIONS: "", ...env, ...more },
  });
  onTestFinished(() => void child.kill("SIGKILL"));
  let output = "";
  for (const stream of [child.stdout, child.stderr])
    stream.on("data", (chunk: Buffer) => (output += chunk.toString()));
  return { child, output: () => output };
}

/** Starts the packed sandbox. `env` has its addresses and keys. */
async function startSandbox(...options: string[]) {
  const file = join(folder, ".env");
  rmSync(file, { force: true });
  const { output } = start([SANDBOX, "--port=0", "--env=.env", ...options]);
  await vi.waitFor(() => expect(output()).toContain("Press Ctrl-C"), 60_000);
  return {
    output,
    env: { ...env, ...parseEnv(readFileSync(file, "utf8")) } as typeof env & Record<string, string>,
  };
}

/** Returns the rows as JSON. */
function query(sql: string): Promise<string> {
  const program = `import pg from "pg"; const client = new pg.Client(process.env.DATABASE_URL);
    await client.connect(); console.log(JSON.stringify((await client.query(process.argv[1])).rows)); await client.end();`;
  return exec(process.execPath, ["--input-type=module", "--eval", program, sql], {
    cwd: folder,
    env,
  });
}
