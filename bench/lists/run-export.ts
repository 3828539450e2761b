import { spawn } from "node:child_process";
import { once } from "node:events";
import { text } from "node:stream/consumers";
import { join } from "node:path";
import { nextMessage, startChild } from "../support/child.ts";

const PROGRAM = join(import.meta.dirname, "../../packages/cli/src/commands/cli.ts");
/** Prints the most memory that a process has held, in kilobytes. */
const WATCH =
  "data:text/javascript,process.on('exit',()=>console.error('most:'+process.resourceUsage().maxRSS))";
const KILOBYTE = 1024;

/** Runs commands of the command line, each in a process of its own, and returns the most megabytes that each has held. */
export async function runWithDevices(
  count: number,
  commands: readonly (readonly string[])[],
  program = PROGRAM,
): Promise<number[]> {
  const server = startChild("lists/serve-devices.ts", { count });
  const port = await nextMessage<number>(server);
  const env = {
    ...process.env,
    CONSOLE_URL: `http://127.0.0.1:${port}`,
    CONSOLE_KEY: "bench-key",
    FIELDMESH_PASSPHRASE: "correct horse",
  };
  const figures: number[] = [];
  try {
    for (const words of commands) {
      const child = spawn(process.execPath, ["--import", WATCH, program, ...words], {
        env,
        stdio: ["ignore", "ignore", "pipe"],
      });
      const [printed, [code]] = await Promise.all([text(child.stderr), once(child, "close")]);
      if (code !== 0) throw new Error(`${words.join(" ")} ended with ${code}: ${printed}`);
      figures.push(Number(/most:(\d+)/.exec(printed)?.[1]) / KILOBYTE);
    }
  } finally {
    server.kill("SIGKILL");
  }
  return figures;
}
