// The import's chapter of the tour: a process that dies in the middle of 500 devices.
import { fork } from "node:child_process";
import { once } from "node:events";
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type { RunningSandbox } from "@fieldmesh/sandbox";
import { importDevices, importState, readInventory } from "./inventory.ts";
import {
  bar,
  createLiveLines,
  isPaced,
  number,
  print,
  printCode,
  prove,
  say,
  show,
} from "./screen.ts";

const PROGRAM = join(import.meta.dirname, "../import-inventory.ts");
const INVENTORY = join(import.meta.dirname, "../data/inventory.csv");
const KILL_AT = 0.4;
/** Requests of a whole import. */
const CHUNKS = 10;
/** Milliseconds of a bulk request: slow enough to kill the process within one, or to watch. */
const REQUEST_TIME = isPaced ? 200 : 60;
/** Milliseconds between two looks at the console. */
const LOOK = 5;

interface Progress {
  readonly created: number;
  readonly settled: number;
  readonly total: number;
}

interface Summary {
  readonly created: number;
  readonly failed: number;
  readonly unknown: number;
  readonly problems: readonly { readonly line: number; readonly problem: string }[];
}

/** Imports an inventory into a sandbox, in a process that is killed and started again. */
export async function tourImport(sandbox: RunningSandbox): Promise<void> {
  const folder = mkdtempSync(join(tmpdir(), "fieldmesh-tour-"));
  process.on("exit", () => rmSync(folder, { recursive: true, force: true }));
  const file = join(folder, "checkpoint.json");
  const rows = await readInventory(INVENTORY);
  const euis = new Set(rows.map(({ device }) => device.dev_eui.toUpperCase()));
  /** The EUIs of the file that are in the console. */
  const readHeld = () =>
    [...sandbox.console.state.devices.values()]
      .map(({ dev_eui }) => dev_eui)
      .filter((eui) => euis.has(eui));

  say(
    `examples/data/inventory.csv has ${number(rows.length)} rows, some of them invalid. Another process imports them:`,
  );
  printCode(importDevices);
  const chunks = KILL_AT * CHUNKS;
  const on = "devices.createBatch";
  sandbox.setFaults([
    { on, kind: "lost", skip: chunks },
    { on, kind: "delay", ms: REQUEST_TIME, times: Infinity },
  ]);
  await runImport(
    sandbox,
    file,
    ({ created, settled, total }) => settled >= KILL_AT * total && readHeld().length > created,
  );
  const before = readHeld().length;
  print("SIGKILL at 40%, while a request is in progress");

  say("The checkpoint says what is certain, and which request was in progress. It holds no key:");
  const saved = await show(
    async () => (await importState(file).read())!,
    ["created", "failed", "open"],
  );
  print(`The console has ${number(before)} devices: the request in progress was carried out.`);

  say("The same command again:");
  const summary = (await runImport(sandbox, file))!;
  sandbox.setFaults(undefined);
  say(`${summary.failed} rows are invalid, for these reasons:`);
  const byProblem = Map.groupBy(summary.problems, ({ problem }) => problem);
  for (const [problem, group] of byProblem)
    print(`lines ${group.map(({ line }) => line).join(", ")}: ${problem}`);

  const { created, failed, unknown } = summary;
  const held = readHeld();
  prove(
    "Nothing lost, nothing twice",
    before > saved.created &&
      unknown === 0 &&
      created + failed === rows.length &&
      held.length === created &&
      new Set(held).size === created,
    `${number(rows.length)} rows = ${number(created)} created + ${failed} explained; the console has ${number(held.length)}, each once`,
  );
}

/** Runs the import to its end, or until it is to be killed, and draws its progress. */
async function runImport(
  sandbox: RunningSandbox,
  file: string,
  isKilled: (progress: Progress) => boolean = () => false,
): Promise<Summary | undefined> {
  const draw = createLiveLines();
  const { baseUrl, apiKey } = sandbox.console;
  const env = { ...process.env, CONSOLE_URL: baseUrl, CONSOLE_KEY: apiKey };
  const child = fork(PROGRAM, [INVENTORY, file], { env });
  let progress: Progress = { created: 0, settled: 0, total: 1 };
  let summary: Summary | undefined;
  child.on("message", (message: Progress | Summary) => {
    if ("problems" in message) summary = message;
    else draw([bar((progress = message).settled, progress.total)]);
  });
  const timer = setInterval(() => isKilled(progress) && child.kill("SIGKILL"), LOOK);
  const [code] = (await once(child, "exit")) as [number | null];
  clearInterval(timer);
  draw([bar(progress.settled, progress.total)], true);
  if (code !== 0 && !child.killed) throw new Error(`The import ended with the exit code ${code}.`);
  return summary;
}
