// Starts a real Redis and a real PostgreSQL for tests and benchmarks, or uses those of the environment.
import { execFileSync, spawn } from "node:child_process";
import { once } from "node:events";
import { chownSync, globSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { createServer, type AddressInfo } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";

/** A server, or the reason why it is missing. */
export type Server =
  | { readonly url: string; stop(): Promise<void> }
  | { readonly url?: undefined; readonly missing: string };

/**
 * Uses the Redis of REDIS_URL, or starts one that writes no file. Its clients wait until it accepts connections. One that a test
 * breaks `isOwn`.
 */
export async function startRedis({ isOwn = false, isCluster = false } = {}): Promise<Server> {
  const url = process.env["REDIS_URL"];
  if (url && !isOwn) return { url, stop: async () => {} };
  const program = findProgram("redis-server");
  if (program === undefined)
    return { missing: "redis-server is not on PATH and REDIS_URL is not set" };
  const port = await freePort();
  const folder = isCluster ? mkdtempSync(join(tmpdir(), "fieldmesh-redis-")) : tmpdir();
  const args = ["--port", `${port}`, "--bind", "127.0.0.1", "--save", "", "--dir", folder];
  if (isCluster) {
    args.push("--cluster-enabled", "yes", "--cluster-announce-ip", "127.0.0.1");
    args.push("--cluster-port", `${await freePort()}`);
  }
  const child = spawn(program, args, { stdio: ["ignore", "pipe", "inherit"] });
  for await (const chunk of child.stdout)
    if (String(chunk).includes("Ready to accept connections")) break;
  return {
    url: `redis://127.0.0.1:${port}`,
    stop: async () => {
      const exit = once(child, "exit");
      child.kill();
      await exit;
    },
  };
}

const TRIES = 3;

/** Uses the PostgreSQL of DATABASE_URL, or starts one in a temporary folder. It writes to disk only if it `isDurable`. */
export async function startPostgres({ isDurable = false } = {}): Promise<Server> {
  const url = process.env["DATABASE_URL"];
  if (url) return { url, stop: async () => {} };
  const program = findProgram("pg_ctl");
  if (program === undefined)
    return { missing: "pg_ctl is not on PATH and DATABASE_URL is not set" };
  const user = unprivilegedUser();
  if (user === undefined)
    return { missing: "postgres does not run as root, and there is no user postgres or nobody" };
  const folder = mkdtempSync(join(tmpdir(), "fieldmesh-postgres-"));
  if (user.uid !== undefined && user.gid !== undefined) chownSync(folder, user.uid, user.gid);
  const control = (...args: string[]): void => {
    const all = ["--silent", "--wait", "--pgdata", join(folder, "data"), ...args];
    execFileSync(program, all, { ...user, cwd: folder, stdio: "ignore" });
  };
  control("initdb", "--options", "-A trust -U fieldmesh --no-sync --locale=C -E UTF8");
  let port = 0;
  for (let tries = 1; port === 0; tries++) {
    const free = await freePort();
    const settings = `-p ${free} -c listen_addresses=127.0.0.1 -c unix_socket_directories= -c max_connections=300 ${isDurable ? "" : "-c fsync=off"}`;
    try {
      control("start", "--options", settings);
      port = free;
    } catch (error) {
      // Another program may have taken the port since.
      if (tries === TRIES) throw error;
    }
  }
  return {
    url: `postgres://fieldmesh@127.0.0.1:${port}/postgres`,
    stop: async () => {
      control("stop", "--mode", "fast");
      rmSync(folder, { recursive: true, force: true });
    },
  };
}

/**
 * Starts a PgBouncer in transaction mode, with 4 connections to each database of a PostgreSQL. Its clients send no password.
 *
 * Its URL has the database of the given one: change the path for another.
 */
export async function startPgBouncer(postgresUrl: string): Promise<Server> {
  const program = findProgram("pgbouncer");
  if (program === undefined) return { missing: "pgbouncer is not on PATH" };
  const user = unprivilegedUser();
  if (user === undefined)
    return { missing: "pgbouncer does not run as root, and there is no user postgres or nobody" };
  const to = new URL(postgresUrl);
  const port = await freePort();
  const folder = mkdtempSync(join(tmpdir(), "fieldmesh-pgbouncer-"));
  if (user.uid !== undefined && user.gid !== undefined) chownSync(folder, user.uid, user.gid);
  const settings = join(folder, "pgbouncer.ini");
  const password = to.password && ` password=${decodeURIComponent(to.password)}`;
  writeFileSync(
    settings,
    `[databases]
* = host=${to.hostname} port=${to.port || 5432} user=${to.username}${password}
[pgbouncer]
listen_addr = 127.0.0.1
listen_port = ${port}
unix_socket_dir =
auth_type = any
pool_mode = transaction
default_pool_size = 4
max_client_conn = 500
ignore_startup_parameters = extra_float_digits
`,
  );
  const child = spawn(program, [settings], { ...user, stdio: ["ignore", "ignore", "pipe"] });
  for await (const chunk of child.stderr.iterator({ destroyOnReturn: false }))
    if (String(chunk).includes("process up")) break;
  child.stderr.resume();
  return {
    url: `postgres://${to.username}@127.0.0.1:${port}${to.pathname}`,
    stop: async () => {
      const exit = once(child, "exit");
      child.kill("SIGQUIT");
      await exit;
      rmSync(folder, { recursive: true, force: true });
    },
  };
}

/** Finds a program on PATH, or where Debian keeps those of PostgreSQL. */
export function findProgram(name: string): string | undefined {
  const folders = (process.env["PATH"] ?? "").split(":");
  const debian = ["/usr/sbin", ...globSync("/usr/lib/postgresql/*/bin")];
  return globSync([...folders, ...debian].map((folder) => join(folder, name)))[0];
}

/** PostgreSQL does not run as root. */
function unprivilegedUser(): { uid?: number; gid?: number } | undefined {
  if (process.getuid?.() !== 0) return {};
  const [, uid, gid] =
    /^(?:postgres|nobody):[^:]*:(\d+):(\d+):/m.exec(readFileSync("/etc/passwd", "utf8")) ?? [];
  return uid === undefined ? undefined : { uid: Number(uid), gid: Number(gid) };
}

/** A port that nothing listens on. */
export async function freePort(): Promise<number> {
  const server = createServer().listen(0, "127.0.0.1");
  await once(server, "listening");
  const { port } = server.address() as AddressInfo;
  server.close();
  await once(server, "close");
  return port;
}
