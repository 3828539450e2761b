import { type ChildProcess, spawn, spawnSync } from "node:child_process";
import { once } from "node:events";
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { connect } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import type { Chance } from "./chance.ts";
import type { Program } from "./row.ts";

// Debian puts servers into folders outside an ordinary user's PATH.
const env = { ...process.env, PATH: `${process.env["PATH"] ?? ""}:/usr/sbin:/usr/local/sbin` };

/** Tells whether a program is installed. */
export function isInstalled(program: Program): boolean {
  return spawnSync(program, ["-v"], { env }).status === 0;
}

/** A program that was started with its own configuration. */
export interface Running extends AsyncDisposable {
  readonly port: number;
}

const ATTEMPTS = 200;
// Below the ports that systems choose themselves, and above 10080, to which fetch does not connect.
const [FIRST_PORT, LAST_PORT] = [11_000, 19_999];

/** Starts a program in the foreground, in its own folder, and waits until it listens. */
export async function startProgram(
  program: Program,
  chance: Chance,
  configure: (at: { port: number; folder: string }) => {
    config: string;
    args: (file: string) => string[];
  },
): Promise<Running> {
  const folder = mkdtempSync(join(tmpdir(), "gauntlet-"));
  const port = await takePort(chance);
  const file = join(folder, `${program}.conf`);
  const { config, args } = configure({ port, folder });
  writeFileSync(file, config);
  const child = spawn(program, args(file), { env, stdio: ["ignore", "ignore", "pipe"] });
  let said = "";
  child.stderr.on("data", (chunk: Buffer) => (said += chunk.toString()));
  const end = async () => {
    if (child.exitCode === null) {
      child.kill("SIGKILL");
      await once(child, "exit");
    }
    rmSync(folder, { recursive: true, force: true });
    taken.delete(port);
  };
  for (let attempt = 0; attempt < ATTEMPTS; attempt++) {
    if (await listens(port)) return { port, [Symbol.asyncDispose]: end };
    if (hasEnded(child)) break;
    await sleep(10);
  }
  await end();
  throw new Error(`${program} does not listen: ${said}`);
}

/** Ports of programs that run now. haproxy shares a port that another haproxy listens on, and then each gets calls of the other. */
const taken = new Set<number>();

async function takePort(chance: Chance): Promise<number> {
  const port = chance.int(FIRST_PORT, LAST_PORT);
  if (taken.has(port)) return takePort(chance);
  taken.add(port);
  if (!(await listens(port))) return port;
  taken.delete(port);
  return takePort(chance);
}

function hasEnded({ exitCode, signalCode }: ChildProcess): boolean {
  return exitCode !== null || signalCode !== null;
}

async function listens(port: number): Promise<boolean> {
  const socket = connect(port, "127.0.0.1");
  try {
    await once(socket, "connect");
    return true;
  } catch {
    return false;
  } finally {
    socket.destroy();
  }
}

/** Returns its name and version, as in "nginx 1.22.1". */
export function programVersion(program: Program): string {
  const { stdout, stderr } = spawnSync(program, ["-v"], { env, encoding: "utf8" });
  const version = /\d+\.\d+\.\d+/.exec(`${stdout}${stderr}`)?.[0];
  return version === undefined ? `without ${program}` : `${program} ${version}`;
}
