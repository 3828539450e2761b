// The programs of the guide, as they are, with real servers.
import { spawn, type ChildProcess } from "node:child_process";
import { randomBytes } from "node:crypto";
import { once } from "node:events";
import { mkdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { startSandbox } from "@fieldmesh/sandbox";
import { afterAll, expect, test } from "vitest";
import { startPostgres, startRedis } from "../tools/servers.ts";

// Inside docs, so that imports resolve as they do for a user of the packages.
const folder = join(import.meta.dirname, ".samples-workers");
const guide = readFileSync(join(import.meta.dirname, "guides", "many-workers.md"), "utf8");
const [redis, postgres] = await Promise.all([startRedis(), startPostgres()]);
const children = new Set<ChildProcess>();
afterAll(async () => {
  for (const child of children) child.kill("SIGKILL");
  rmSync(folder, { recursive: true, force: true });
  for (const server of [redis, postgres]) if (server.url !== undefined) await server.stop();
});

test.concurrent.for([
  { name: "BullMQ", server: redis },
  { name: "pg-boss", server: postgres },
])("the program with $name creates each device once", async ({ name, server }, context) => {
  if (server.url === undefined) return context.skip(server.missing);
  const programs = join(folder, name);
  mkdirSync(programs, { recursive: true });
  const [, section = ""] = guide.split(`\n## With ${name}\n`);
  const [text = ""] = section.split("\n## ");
  for (const [, file = "", code = ""] of text.matchAll(/^```ts check \[(.+)\]\n([^]*?)^```$/gm))
    writeFileSync(join(programs, file), code);
  const rows = Array.from({ length: 2_500 }, (_, number) =>
    [`Tank ${number}`, randomBytes(8).toString("hex"), "70B3D57ED0010001", "2B".repeat(16)].join(),
  );
  const file = join(programs, "inventory.csv");
  writeFileSync(file, ["name,dev_eui,app_eui,app_key", ...rows].join("\n"));

  await using sandbox = await startSandbox({
    console: { data: "empty", duplicates: "allowed" },
  });
  const env = {
    ...process.env,
    NODE_OPTIONS: "",
    CONSOLE_URL: sandbox.console.baseUrl,
    CONSOLE_KEY: sandbox.apiKey,
    REDIS_URL: server.url,
    DATABASE_URL: server.url,
    JOB_KEY: "5a".repeat(32),
  };
  const start = (program: string, ...args: string[]) => {
    const child = spawn(process.execPath, [join(programs, program), ...args], { env });
    children.add(child);
    let output = "";
    for (const stream of [child.stdout, child.stderr])
      stream.on("data", (chunk: Buffer) => (output += chunk.toString()));
    return {
      child,
      ended: once(child, "close").then(([code]) => ({ code: code as number, output })),
    };
  };
  const workers = [1, 2].map(() => start("worker.ts"));
  const { code, output } = await start("import.ts", file).ended;
  expect(output).toContain("3 of 3 jobs\n2500 created, 0 failed\n0 unknown, 0 jobs missing\n");
  expect(code).toBe(0);
  expect(sandbox.console.state.devices.size).toBe(2_500);
  for (const { child, ended } of workers) {
    child.kill("SIGTERM");
    expect(await ended).toEqual({ code: 0, output: "" });
  }
});
