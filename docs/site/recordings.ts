// What the recordings on the site show: the tour, and the commands of three guides, each run in a pseudo-terminal.
import { once } from "node:events";
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { startSandbox, systemClock } from "@fieldmesh/sandbox";
import { openTerminal } from "../../tools/terminal.ts";
import { root } from "../../tools/packages.ts";

/** A recording: a file below `docs/public`, and what makes it. */
export interface Recording {
  readonly file: string;
  /** What a screen reader says. */
  readonly title: string;
  readonly columns: number;
  readonly rows: number;
  /** The guide that has every command. */
  readonly guide?: string;
  /** Runs the commands in a folder, and returns what the terminal shows. */
  readonly record: (folder: string) => Promise<string>;
}

/** Keys for what the terminal asks. */
type Replies = readonly (readonly [question: string, keys: string])[];

/** The tour breaks its lines itself; the program does not. */
const [TOUR_COLUMNS, COLUMNS] = [80, 92];
const PROGRAM = join(root, "packages/cli/src/commands/cli.ts");
const ACCOUNT = "13LsNuSeGnQv82npnF6WYFoz5HEMaGSAgfEtAyS64mA6eLaAtdq";
const PASSPHRASE: Replies[number] = ["assphrase", "correct horse\r"];
const YES: Replies[number] = ["[y/N] ", "y\r"];
/** The last row is as a spreadsheet spoils it. */
const INVENTORY = `Device EUI,Join EUI,Application Key,Name,Group
0004A30B001C0530,70B3D57ED0010002,2B7E151628AED2A6ABF7158809CF4F3C,Pump 1,Pumps
0004A30B001C0531,70B3D57ED0010002,3C7E151628AED2A6ABF7158809CF4F3D,Pump 2,Pumps
0004A30B001C0532,70B3D57ED0010002,4D7E151628AED2A6ABF7158809CF4F3E,Tank 1,Tanks
4.00E+12,70B3D57ED0010002,5E7E151628AED2A6ABF7158809CF4F3F,Tank 2,Tanks
`;
const FIRST_PORT = 14010;
const CTRL_C = "\u0003";

export const recordings: readonly Recording[] = [
  {
    file: "tour.svg",
    title: "The tour: an import is killed and resumed, and a webhook receiver survives a crash",
    columns: TOUR_COLUMNS,
    rows: 30,
    record: recordTour,
  },
  {
    file: "recordings/move-a-fleet.svg",
    title: "fieldmesh imports devices, plans the move of a fleet, applies it and verifies it",
    columns: COLUMNS,
    rows: 26,
    guide: "move-a-fleet",
    record: recordFleet,
  },
  {
    file: "recordings/export-rewards.svg",
    title: "fieldmesh exports rewards, is interrupted, and resumes",
    columns: COLUMNS,
    rows: 16,
    guide: "export-rewards",
    record: recordExport,
  },
  {
    file: "recordings/try-webhooks-locally.svg",
    title: "fieldmesh listens for the webhooks of a sandbox and forwards them",
    columns: COLUMNS,
    rows: 26,
    guide: "try-webhooks-locally",
    record: recordWebhooks,
  },
];

/** Runs the commands of a recording, and returns what the terminal shows; of this machine it shows nothing. */
export async function runRecording({ record }: Recording): Promise<string> {
  const folder = mkdtempSync(join(tmpdir(), "recording-"));
  try {
    return hideMachine(await record(folder), folder);
  } finally {
    rmSync(folder, { recursive: true });
  }
}

/** Replaces what differs between two runs by what a reader would have: paths, ports, times. */
function hideMachine(shown: string, folder: string): string {
  const ports = new Map<string, number>();
  const portOf = (port: string): number => {
    if (!ports.has(port)) ports.set(port, FIRST_PORT + ports.size);
    return ports.get(port)!;
  };
  return shown
    .replaceAll(`${folder}/`, "")
    .replaceAll(/127\.0\.0\.1:(\d{5})/g, (_, port: string) => `127.0.0.1:${portOf(port)}`)
    .replaceAll(/20\d\d-\d\d-\d\dT\d\d:\d\d:\d\d\.\d+Z(?= {2})/g, "2026-11-20T08:00:00.000Z")
    .replaceAll(/ {2}\d+ ms\r/g, "  5 ms\r");
}

async function recordTour(): Promise<string> {
  const chapters = ["2", "6"];
  const tour = openTerminal([process.execPath, join(root, "examples/tour.ts"), ...chapters], {
    columns: TOUR_COLUMNS,
    env: { PATH: process.env["PATH"], TERM: "xterm-256color" },
  });
  for (const next of ["start", "Webhooks", "the end"]) {
    await tour.until(`Enter: ${next}`);
    tour.type("\r");
  }
  await tour.ended;
  return promptOf(`npm start -- ${chapters.join(" ")}`) + tour.shown;
}

async function recordFleet(folder: string): Promise<string> {
  await using from = await startSandbox({ console: { data: "empty" } });
  await using to = await startSandbox({ console: { data: "empty" }, seed: 2 });
  writeFileSync(join(folder, "inventory.csv"), INVENTORY);
  const run = shell(folder, { CONSOLE_URL: from.console.baseUrl, CONSOLE_KEY: from.apiKey });
  await run(`profile set new-console console --url ${to.console.baseUrl}`, [
    ["Key of the console: ", `${to.apiKey}\r`],
  ]);
  const target = "fleet.age --profile new-console";
  return [
    await run("devices import inventory.csv --create-labels --if-exists skip", [YES]),
    await run("fleet export fleet.age", [PASSPHRASE, ["again", "correct horse\r"]]),
    await run(`fleet plan ${target} --write-mapping mapping.json`, [PASSPHRASE]),
    await run(`fleet apply ${target} --mapping mapping.json`, [PASSPHRASE, YES]),
    await run(`fleet verify ${target} --mapping mapping.json`, [PASSPHRASE]),
  ].join("");
}

async function recordExport(folder: string): Promise<string> {
  await using sandbox = await startSandbox({ latency: 400 });
  const run = shell(folder, { LEDGER_URL: sandbox.ledger.baseUrl });
  const line = `ledger export rewards ${ACCOUNT} --min-time 2026-11-01 --max-time 2026-11-15 --lanes 8 --out rewards.sqlite`;
  const stopped = await run(line, [["█", CTRL_C]]);
  return stopped + (await run(line));
}

async function recordWebhooks(folder: string): Promise<string> {
  await using sandbox = await startSandbox({ clock: systemClock });
  const receiver = createServer((_, response) => response.end()).listen(0, "127.0.0.1");
  await once(receiver, "listening");
  const { port } = receiver.address() as AddressInfo;
  const env = {
    FIELDMESH_SANDBOX: sandbox.page,
    FIELDMESH_WEBHOOK_SECRET: "whsec_of_the_recording",
  };
  const run = shell(folder, env);
  const listen = "webhooks listen --forward-to http://127.0.0.1:3000/hooks";
  const words = listen.replace("3000", String(port)).split(" ");
  const listener = openTerminal([process.execPath, PROGRAM, ...words], {
    columns: COLUMNS,
    cwd: folder,
    env: environment(folder, env),
  });
  await listener.until("Ctrl-C");
  const start = listener.shown.length;
  const triggered = [
    await run("webhooks trigger sim.activated"),
    await run(`webhooks trigger plan.created --data '{"object":{"id":"plan_7"}}'`),
    await run("webhooks events"),
  ];
  listener.type(CTRL_C);
  await listener.ended;
  receiver.close();
  const head = listener.shown.slice(0, start).replaceAll(`:${port}/`, ":3000/");
  return [
    promptOf(`fieldmesh ${listen}`),
    head,
    "\r\n",
    comment("a second terminal"),
    triggered.join(""),
    "\r\n",
    comment("the first one"),
    listener.shown.slice(start).replaceAll(`:${port}/`, ":3000/"),
  ].join("");
}

/** Returns a function that runs a line of `fieldmesh` in a pseudo-terminal, and returns it with what it prints. */
function shell(folder: string, variables: Record<string, string>) {
  return async (line: string, replies: Replies = []): Promise<string> => {
    const terminal = openTerminal([process.execPath, PROGRAM, ...wordsOf(line)], {
      columns: COLUMNS,
      cwd: folder,
      env: environment(folder, variables),
    });
    for (const [question, keys] of replies) {
      await terminal.until(question);
      terminal.type(keys);
    }
    await terminal.ended;
    return promptOf(`fieldmesh ${line}`) + terminal.shown;
  };
}

/** The words of a line, as a shell reads it. */
function wordsOf(line: string): string[] {
  return (line.match(/'[^']*'|\S+/g) ?? []).map((word) => word.replaceAll("'", ""));
}

function environment(folder: string, variables: Record<string, string>): NodeJS.ProcessEnv {
  const config = join(folder, "config.json");
  return {
    PATH: process.env["PATH"],
    TERM: "xterm-256color",
    HOME: folder,
    FIELDMESH_CONFIG: config,
    ...variables,
  };
}

/** A line as it is typed, after a prompt that waits. */
function promptOf(line: string): string {
  return `\u001B[32m$\u001B[39m \r\u001B[32m$\u001B[39m \u001B[1m${line}\u001B[22m\r\n`;
}

function comment(line: string): string {
  return `\u001B[2m# ${line}\u001B[22m\r\n`;
}
