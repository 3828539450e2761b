import { spawn, type ChildProcess } from "node:child_process";
import { once } from "node:events";
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { findProgram, freePort } from "../../tools/servers.ts";

/** A Redis that loses nothing when it is killed: each write is on the disk before its response. */
export interface DurableRedis {
  readonly url: string;
  /** Kills it with SIGKILL, and starts it again. */
  restart(): Promise<void>;
  stop(): Promise<void>;
}

/** Starts such a Redis. Returns `undefined` if redis-server is not installed. */
export async function startDurableRedis(): Promise<DurableRedis | undefined> {
  const program = findProgram("redis-server");
  if (program === undefined) return undefined;
  const folder = mkdtempSync(join(tmpdir(), "fieldmesh-redis-"));
  const port = await freePort();
  const settings = {
    port,
    bind: "127.0.0.1",
    dir: folder,
    save: "",
    appendonly: "yes",
    appendfsync: "always",
    "maxmemory-policy": "noeviction",
  };
  const args = Object.entries(settings).flatMap(([name, value]) => [`--${name}`, `${value}`]);
  const start = async (): Promise<ChildProcess> => {
    const started = spawn(program, args, { stdio: ["ignore", "pipe", "inherit"] });
    for await (const chunk of started.stdout)
      if (String(chunk).includes("Ready to accept connections")) break;
    return started;
  };
  const kill = async (): Promise<void> => {
    const exit = once(child, "exit");
    child.kill("SIGKILL");
    await exit;
  };
  let child = await start();
  return {
    url: `redis://127.0.0.1:${port}`,
    async restart() {
      await kill();
      child = await start();
    },
    async stop() {
      await kill();
      rmSync(folder, { recursive: true, force: true });
    },
  };
}
