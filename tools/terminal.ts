import { spawn } from "node:child_process";

/** What differs from a terminal of 80 columns in this folder. */
export interface TerminalOptions {
  /** @default 80 */
  readonly columns?: number;
  /** @default 24 */
  readonly rows?: number;
  readonly cwd?: string;
  readonly env?: NodeJS.ProcessEnv;
}

/** A program that runs in a pseudo-terminal. */
export interface Terminal {
  /** All that was shown so far, with its escape sequences. */
  readonly shown: string;
  /** Resolves when the terminal shows a string after what was awaited before. Rejects if the program ends without it. */
  until(text: string): Promise<void>;
  /** Types keys. */
  type(keys: string): void;
  /** The exit code, once the program ends. */
  readonly ended: Promise<number>;
}

// Node has no pseudo-terminal, and Python is on every machine that runs the tests.
const SCRIPT = `
import os, pty, sys
sys.exit(os.waitstatus_to_exitcode(pty.spawn(sys.argv[1:])) % 256)
`;

/** Runs a program in a pseudo-terminal. */
export function openTerminal(command: readonly string[], options: TerminalOptions = {}): Terminal {
  const { columns = 80, rows = 24, cwd, env = process.env } = options;
  const start = ["sh", "-c", `stty cols ${columns} rows ${rows}; exec "$@"`, "sh", ...command];
  const child = spawn("python3", ["-c", SCRIPT, ...start], { cwd, env });
  child.stdin.on("error", () => undefined); // the program may end before it has read what was typed
  let shown = "";
  let seen = 0;
  let look = (): void => undefined;
  child.stdout.setEncoding("utf8").on("data", (chunk: string) => {
    shown += chunk;
    look();
  });
  const ended = new Promise<number>((resolve, reject) => {
    child.on("error", reject);
    child.on("close", (code) => {
      child.stdin.destroy();
      resolve(code ?? 1);
    });
  });
  return {
    get shown() {
      return shown;
    },
    until: (text) =>
      new Promise((resolve, reject) => {
        look = () => {
          const place = shown.indexOf(text, seen);
          if (place === -1) return;
          seen = place + text.length;
          look = () => undefined;
          resolve();
        };
        look();
        void ended.then(() => reject(new Error(`"${text}" was not shown:\n${shown.slice(seen)}`)));
      }),
    type: (keys) => void child.stdin.write(keys),
    ended,
  };
}
