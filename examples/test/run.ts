import { spawn } from "node:child_process";
import { join } from "node:path";

/** How a program ended, and what it printed. */
export interface Ended {
  readonly code: number | null;
  readonly output: string;
}

/** Runs an example as a user does, with its output piped; `killAfter` is in milliseconds. */
export async function runExample(
  name: string,
  args: readonly string[] = [],
  env: Record<string, string> = {},
): Promise<Ended> {
  // The source condition of the workspace must not lead a user's program to sources.
  const child = spawn(process.execPath, [join(import.meta.dirname, "..", name), ...args], {
    env: { ...process.env, NODE_OPTIONS: "", ...env },
    stdio: ["ignore", "pipe", "pipe"],
  });
  let output = "";
  child.stdout.on("data", (chunk: Buffer) => (output += chunk.toString()));
  child.stderr.on("data", (chunk: Buffer) => (output += chunk.toString()));
  const code = await new Promise<number | null>((resolve) => child.on("close", resolve));
  return { code, output };
}
