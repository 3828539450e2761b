// A real Redis and a real PostgreSQL for tests: those of the environment, or new ones on a free port.
import { spawn, spawnSync, type ChildProcess } from "node:child_process";
import { chownSync, globSync, mkdtempSync, readFileSync, rmSync } from "node:fs";
import { createServer, connect, type AddressInfo } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";

/** A server, or the reason why there is none. */
export type Server =
  | { readonly url: string; stop(): Promise<void> }
  | { readonly url?: undefined; readonly missing: string };

const READY_WITHIN = 60_000;
const PATIENCE = 3_000;

/** The Redis of REDIS_URL, or a new one without any file. */
export async function startRedis(): Promise<Server> {
  const given = process.env["REDIS_URL"];
  if (given) return { url: given, stop: async () => {} };
  const program = findProgram("redis-server");
  if (program === undefined)
    return { missing: "redis-server is not on PATH and REDIS_URL is not set" };
  const port = await freePort();
  const folder = mkdtempSync(join(tmpdir(), "fieldmesh-redis-"));
  const args = ["--port", `${port}`, "--bind", "127.0.0.1", "--save", "", "--dir", folder];
  const child = spawn(program, args, { stdio: "ignore" });
  await untilOpen(port, child);
  return { url: `redis://127.0.0.1:${port}`, stop: () => stop(child, folder) };
}

/** The PostgreSQL of DATABASE_URL, or a new one in a folder of its own. */
export async function startPostgres(): Promise<Server> {
  const given = process.env["DATABASE_URL"];
  if (given) return { url: given, stop: async () => {} };
  const program = findProgram("postgres");
  const initdb = findProgram("initdb");
  if (program === undefined || initdb === undefined)
    return { missing: "postgres is not on PATH and DATABASE_URL is not set" };
  const user = unprivilegedUser();
  if (user === undefined)
    return { missing: "postgres does not run as root, and there is no user postgres or nobody" };
  const folder = mkdtempSync(join(tmpdir(), "fieldmesh-postgres-"));
  if (user.uid !== undefined && user.gid !== undefined) chownSync(folder, user.uid, user.gid);
  const data = join(folder, "data");
  const init = [
    "-D",
    data,
    "-A",
    "trust",
    "-U",
    "fieldmesh",
    "--no-sync",
    "--locale=C",
    "-E",
    "UTF8",
  ];
  const made = spawnSync(initdb, init, { ...user, cwd: folder, encoding: "utf8" });
  if (made.status !== 0) throw new Error(`initdb failed: ${made.stderr}`);
  const port = await freePort();
  const settings = ["listen_addresses=127.0.0.1", `unix_socket_directories=${folder}`, "fsync=off"];
  const args = ["-D", data, "-p", `${port}`, ...settings.flatMap((each) => ["-c", each])];
  const child = spawn(program, args, { ...user, cwd: folder, stdio: "ignore" });
  await untilOpen(port, child);
  // The port opens before the server takes anybody.
  await sleep(100);
  return {
    url: `postgres://fieldmesh@127.0.0.1:${port}/postgres`,
    stop: () => stop(child, folder),
  };
}

/** Debian keeps the server's programs out of PATH. */
function findProgram(name: string): string | undefined {
  const folders = (process.env["PATH"] ?? "").split(":");
  const debian = globSync("/usr/lib/postgresql/*/bin");
  return globSync([...folders, ...debian].map((folder) => join(folder, name)))[0];
}

/** PostgreSQL refuses to run as root. */
function unprivilegedUser(): { uid?: number; gid?: number } | undefined {
  if (process.getuid?.() !== 0) return {};
  const [, uid, gid] =
    /^(?:postgres|nobody):[^:]*:(\d+):(\d+):/m.exec(readFileSync("/etc/passwd", "utf8")) ?? [];
  return uid === undefined || gid === undefined
    ? undefined
    : { uid: Number(uid), gid: Number(gid) };
}

async function freePort(): Promise<number> {
  const server = createServer();
  await new Promise<void>((resolve) => {
    server.listen(0, "127.0.0.1", resolve);
  });
  const { port } = server.address() as AddressInfo;
  await new Promise((resolve) => {
    server.close(resolve);
  });
  return port;
}

async function untilOpen(port: number, child: ChildProcess): Promise<void> {
  const end = Date.now() + READY_WITHIN;
  while (Date.now() < end) {
    if (child.exitCode !== null) throw new Error(`The server ended with ${child.exitCode}.`);
    const isOpen = await new Promise<boolean>((resolve) => {
      const socket = connect(port, "127.0.0.1", () => resolve(true));
      socket.on("error", () => resolve(false));
      socket.on("connect", () => socket.destroy());
    });
    if (isOpen) return;
    await sleep(20);
  }
  child.kill("SIGKILL");
  throw new Error(`The server is not ready after ${READY_WITHIN} ms.`);
}

/** PostgreSQL waits for those who are connected, and at the second signal no longer. */
async function stop(child: ChildProcess, folder: string): Promise<void> {
  const ended = new Promise((resolve) => {
    child.once("exit", resolve);
  });
  child.kill("SIGTERM");
  const impatient = setTimeout(() => child.kill("SIGINT"), PATIENCE);
  await ended;
  clearTimeout(impatient);
  rmSync(folder, { recursive: true, force: true });
}
