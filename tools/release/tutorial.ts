import { spawn } from "node:child_process";
import { readFileSync, writeFileSync } from "node:fs";
import { connect } from "node:net";
import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { root } from "../packages.ts";

/** The tabs of the page, which are also the names of the programs. */
export const MANAGERS = ["npm", "pnpm", "yarn", "bun"] as const;
export type Manager = (typeof MANAGERS)[number];

/** A block of the page, by its label. */
export type Step =
  | { readonly kind: "run"; readonly code: string; readonly fails: boolean }
  | { readonly kind: "start"; readonly code: string; readonly port: number }
  | { readonly kind: "save"; readonly code: string; readonly name: string }
  | { readonly kind: "expect"; readonly code: string };

const PAGE = join(root, "docs", "guides", "getting-started.md");
const BLOCK = /^```\w+ \[([^\]]+)\]\n([^]*?)^```$/gm;
/** What keeps running in a terminal of its own, by its first line, and where it listens. */
const PORTS: Readonly<Record<string, number>> = {
  "# second terminal": 14010,
  "# third terminal": 4020,
};
/** The folder that the first block creates. */
const PROJECT = "field";

/** Returns the steps of "Getting started" for one package manager, in order. */
export function readTutorial(manager: Manager, text = readFileSync(PAGE, "utf8")): Step[] {
  return [...text.matchAll(BLOCK)].flatMap(([, label = "", code = ""]): Step[] => {
    if (label === "it prints") return [{ kind: "expect", code }];
    const isTab = MANAGERS.some((name) => name === label);
    if (isTab && label !== manager) return [];
    if (!isTab && !label.includes("terminal")) return [{ kind: "save", code, name: label }];
    const port = PORTS[code.split("\n", 1)[0] ?? ""];
    if (port !== undefined) return [{ kind: "start", code, port }];
    return [{ kind: "run", code, fails: label.endsWith("fails") }];
  });
}

/** Does the steps in an empty folder. Throws at the first that does not do what the page says. Returns the folder of the project. */
export async function runTutorial(
  steps: readonly Step[],
  folder: string,
  env: Readonly<Record<string, string | undefined>>,
): Promise<string> {
  const started: Background[] = [];
  const project = join(folder, PROJECT);
  let cwd = folder;
  let printed = "";
  try {
    for (const step of steps) {
      switch (step.kind) {
        case "run":
          printed = await runShell(step.code, cwd, env, step.fails);
          cwd = project;
          break;
        case "start": {
          const background = startShell(step.code, cwd, env);
          started.push(background);
          await waitForPort(step.port, background);
          break;
        }
        case "save":
          writeFileSync(join(cwd, step.name), step.code);
          break;
        case "expect":
          expectPrinted(printed, step.code);
      }
    }
  } finally {
    for (const each of started) each.stop();
  }
  return project;
}

/** Runs lines in a shell that stops at the first failure, and returns their output. */
export async function runShell(
  code: string,
  cwd: string,
  env: Readonly<Record<string, string | undefined>>,
  fails = false,
): Promise<string> {
  const child = spawn("bash", ["-e", "-c", code], { cwd, env });
  let printed = "";
  for (const stream of [child.stdout, child.stderr])
    stream.setEncoding("utf8").on("data", (chunk: string) => (printed += chunk));
  const status = await new Promise<number | null>((resolve) => child.on("close", resolve));
  if ((status !== 0) !== fails)
    throw new Error(`this ended with ${status}:\n${code}\nIt printed:\n${printed}`);
  return printed;
}

/** A program that runs in its own terminal. */
interface Background {
  /** Rejects when the program ends by itself, with its output. */
  readonly failure: Promise<never>;
  readonly stop: () => void;
}

function startShell(
  code: string,
  cwd: string,
  env: Readonly<Record<string, string | undefined>>,
): Background {
  // In its own group, so that programs started by the shell end with it.
  const child = spawn("bash", ["-e", "-c", code], { cwd, env, detached: true });
  let printed = "";
  for (const stream of [child.stdout, child.stderr])
    stream.setEncoding("utf8").on("data", (chunk: string) => (printed += chunk));
  const failure = new Promise<never>((_, reject) => {
    child.on("close", (status) =>
      reject(new Error(`this ended with ${status}:\n${code}\nIt printed:\n${printed}`)),
    );
  });
  failure.catch(() => undefined);
  const isRunning = (): boolean => child.exitCode === null && child.signalCode === null;
  return {
    failure,
    stop: () => {
      if (child.pid !== undefined && isRunning()) process.kill(-child.pid, "SIGTERM");
    },
  };
}

const LONGEST_START = 60_000;

async function waitForPort(port: number, { failure }: Background): Promise<void> {
  const end = Date.now() + LONGEST_START;
  while (!(await listens(port))) {
    if (Date.now() > end) throw new Error(`nothing listens on port ${port} after a minute`);
    await Promise.race([sleep(100), failure]);
  }
}

function listens(port: number): Promise<boolean> {
  return new Promise((resolve) => {
    const socket = connect(port, "127.0.0.1");
    socket.on("connect", () => resolve(true)).on("error", () => resolve(false));
    socket.on("connect", () => socket.destroy());
  });
}

/** An ellipsis on the page matches anything. */
function expectPrinted(printed: string, expected: string): void {
  const parts = expected
    .trim()
    .split("…")
    .map((part) => part.replace(/[\\^$.*+?()[\]{}|]/g, "\\$&"));
  if (!new RegExp(`^${parts.join("[^]*")}$`).test(printed.trim()))
    throw new Error(`the page says:\n${expected}\nIt printed:\n${printed}`);
}
