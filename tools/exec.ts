import { execFile } from "node:child_process";
import { delimiter, join } from "node:path";
import { promisify } from "node:util";
import { root } from "./packages.ts";

const run = promisify(execFile);

export interface ExecOptions {
  readonly cwd?: string;
  readonly env?: Readonly<Record<string, string>>;
  /** Milliseconds after which the command is ended, and rejects. @default no limit */
  readonly timeout?: number;
}

/** Runs a command with the tools of this workspace first on PATH, and returns its standard output. */
export async function exec(
  command: string,
  args: readonly string[],
  { cwd = root, env = {}, timeout = 0 }: ExecOptions = {},
): Promise<string> {
  const PATH = [join(root, "node_modules", ".bin"), process.env["PATH"]].join(delimiter);
  try {
    const { stdout } = await run(command, args, {
      cwd,
      timeout,
      // The caller reads plain text, without colors.
      env: { ...process.env, FORCE_COLOR: undefined, NO_COLOR: "1", ...env, PATH },
      maxBuffer: Infinity,
      shell: process.platform === "win32",
    });
    return stdout;
  } catch (error) {
    // The message contains the command and its standard error. Compilers report errors on standard output.
    const { message, stdout = "" } = error as Error & { stdout?: string };
    throw new Error(`${message}\n${stdout}`, { cause: error });
  }
}
