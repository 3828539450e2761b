import { spawn } from "node:child_process";
import { delimiter, join, relative } from "node:path";
import { root } from "./packages.ts";

export interface ExecOptions {
  readonly cwd?: string;
  readonly env?: Readonly<Record<string, string>>;
}

/** A command that ended with another code than 0; `output` is the command and all that it printed. */
export class CommandError extends Error {
  readonly output: string;

  constructor(command: string, cwd: string, output: string) {
    super(`${command} did not succeed`);
    this.name = "CommandError";
    this.output = `${relative(root, cwd)}> ${command}\n${output}`;
  }
}

/** Runs a command, with the workspace's own tools found first, and gives what it printed. */
export function exec(
  command: string,
  args: readonly string[],
  options: ExecOptions = {},
): Promise<string> {
  const path = [join(root, "node_modules", ".bin"), process.env["PATH"]].join(delimiter);
  const { cwd = root } = options;
  const child = spawn(command, args, {
    cwd,
    // What is collected here is read as plain text.
    env: { ...process.env, FORCE_COLOR: undefined, NO_COLOR: "1", ...options.env, PATH: path },
    stdio: ["ignore", "pipe", "pipe"],
    shell: process.platform === "win32",
  });
  let output = "";
  const collect = (text: string): void => void (output += text);
  child.stdout.setEncoding("utf8").on("data", collect);
  child.stderr.setEncoding("utf8").on("data", collect);
  return new Promise((resolve, reject) => {
    child.on("error", reject);
    child.on("close", (code) => {
      if (code === 0) resolve(output);
      else reject(new CommandError([command, ...args].join(" "), cwd, output));
    });
  });
}
