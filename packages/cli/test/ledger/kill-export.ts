import { spawn } from "node:child_process";
import { existsSync, readFileSync, rmSync, statSync } from "node:fs";
import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { afterAll } from "vitest";
import { temporaryFolder } from "../../../../tools/testing/temporary-folder.ts";

/** The folder where finished runs are recorded. */
const runtime = temporaryFolder(afterAll);

const program = join(import.meta.dirname, "../../src/commands/cli.ts");
const A_MOMENT = 2;

/** How a run ended: its exit code, or `null` if it was killed, and its stderr. */
export interface Ended {
  readonly code: number | null;
  readonly stderr: string;
}

/**
 * Runs an export in a separate process, as a user does. `killAfter` kills it that many milliseconds after its first write,
 * because the time until then depends on the machine.
 */
export async function runExport(
  args: readonly string[],
  { baseUrl, out, killAfter }: { baseUrl: string; out: string; killAfter?: number },
): Promise<Ended> {
  const child = spawn(process.execPath, [program, "ledger", "export", ...args, "--out", out], {
    env: { ...process.env, NODE_OPTIONS: "", LEDGER_URL: baseUrl, XDG_RUNTIME_DIR: runtime },
    stdio: ["ignore", "ignore", "pipe"],
  });
  let stderr = "";
  child.stderr.on("data", (chunk: Buffer) => (stderr += chunk.toString()));
  const ended = new Promise<number | null>((resolve) => child.on("close", resolve));
  if (killAfter !== undefined) {
    const before = traceOf(out);
    while (child.exitCode === null && traceOf(out) === before) await sleep(A_MOMENT);
    await sleep(killAfter);
    child.kill("SIGKILL");
  }
  const code = await ended;
  // Otherwise the next run waits for 30 seconds.
  if (code === null) rmSync(`${out}.lock`, { recursive: true, force: true });
  return { code, stderr };
}

/** Returns a value that changes when a run has read something, or begins to create the file. */
function traceOf(out: string): string {
  const state = `${out}.state.json`;
  const made = `${out}.new`;
  return [
    existsSync(state) ? readFileSync(state, "utf8") : "",
    existsSync(made) ? statSync(made).mtimeMs : 0,
  ].join();
}
