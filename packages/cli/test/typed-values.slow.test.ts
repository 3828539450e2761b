// What is typed may be a key in the wrong place, so no error quotes it: every command, with each of its options.
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { PassThrough, Readable } from "node:stream";
import { text } from "node:stream/consumers";
import { type RunningSandbox, startSandbox } from "@fieldmesh/sandbox";
import { afterAll, beforeAll, expect, test } from "vitest";
import { globalOptions } from "../src/commands/global-options.ts";
import { commands } from "../src/commands/commands.ts";
import { main } from "../src/commands/main.ts";
import { rowCommands } from "../src/rows/row-commands.ts";

/** It is too short to be hidden for its form. */
const CANARY = "q7Zr1Kd9Xv3BcAnArY";
/** Base64 has slashes: as a path, it is in a folder that does not exist. */
const VALUE = `${CANARY}/${CANARY}`;

let sandbox: RunningSandbox;
let folder: string;
beforeAll(async () => {
  sandbox = await startSandbox();
  folder = mkdtempSync(join(tmpdir(), "fieldmesh-typed-"));
});
afterAll(async () => {
  await sandbox.close();
  rmSync(folder, { recursive: true });
});

const { commands: rows } = await rowCommands(["console", "ledger", "mapper", "mobile"]);
const ALL = [...commands, ...rows];

/** Runs a line until it ends, or as Ctrl-C ends it. */
async function run(words: readonly string[]) {
  const [stdout, stderr] = [new PassThrough(), new PassThrough()];
  const printed = Promise.all([text(stdout), text(stderr)]);
  const env = {
    PATH: process.env["PATH"],
    HOME: folder,
    FIELDMESH_CONFIG: join(folder, "config.json"),
    FIELDMESH_PASSPHRASE: "for this test",
    FIELDMESH_WEBHOOK_SECRET: "whsec_0123456789abcdef",
    FIELDMESH_MIRROR_URL: `sqlite:${join(folder, "none.db")}`,
    CONSOLE_URL: sandbox.console.baseUrl,
    CONSOLE_KEY: sandbox.apiKey,
    LEDGER_URL: sandbox.ledger.baseUrl,
    MAPPER_URL: sandbox.mapper.baseUrl,
    MOBILE_URL: sandbox.mobile.baseUrl,
    MOBILE_KEY: sandbox.mobile.apiKey,
    THINGS_STACK_URL: "http://127.0.0.1:1",
    THINGS_STACK_KEY: "k",
  };
  const signal = AbortSignal.timeout(1_500);
  const code = await main(words, { stdin: Readable.from([]), stdout, stderr, env }, signal);
  stdout.end();
  stderr.end();
  const [out, err] = await printed;
  return { code, out, err };
}

type Line = readonly [what: string, words: readonly string[]];

/** The lines with a canary in each place of a command. A file of its arguments does not exist. */
function linesOf(command: (typeof ALL)[number]): Line[] {
  const { path, arguments: named = [], options = [] } = command;
  const base = path.split(" ");
  const given = named
    .filter(({ optional }) => optional !== true)
    .map(({ choices }) => choices?.[0] ?? "no/such");
  const required = options.flatMap(({ name, required: isRequired, choices }) =>
    isRequired ? [`--${name}`, choices?.[0] ?? "no/such"] : [],
  );
  const whole = [...base, ...given, ...required, "--yes"];
  return [
    // One program reads the options that all commands have.
    ...[...options, ...(rows.slice(1).includes(command) ? [] : globalOptions)].flatMap(
      ({ name, value }): Line[] => [
        [
          `--${name}=…`,
          [
            ...base,
            ...given,
            ...required.filter((_, at) => required[at - (at % 2)] !== `--${name}`),
            "--yes",
            `--${name}=${VALUE}`,
          ],
        ],
        ...(value === undefined
          ? []
          : ([[`--${name} …`, [...whole, `--${name}`, VALUE]]] as Line[])),
      ],
    ),
    ...named.map((argument, at): Line => {
      const words = [...given.slice(0, at), VALUE, ...given.slice(at + 1)];
      return [`<${argument.name}>`, [...base, ...words, ...required, "--yes"]];
    }),
    ["an extra argument", [...whole, CANARY]],
    ["an option", [...whole, `--${CANARY}`]],
    ["an option with a value", [...whole, `--${CANARY}=${CANARY}`]],
    ["a short option", [...whole, `-${CANARY}`]],
    ["a value of no option", [...whole, "--key", CANARY]],
    ["a value with JSON", [...whole, `--key=${CANARY}`, "--json"]],
    ["a word of help", ["help", ...base, CANARY]],
    ["a word in place of the command", [...base.slice(0, -1), CANARY]],
    ["a misspelled option", [...whole, `--yess=${CANARY}`]],
  ];
}

test.for(ALL.map((command) => [command.path, command] as const))(
  "%s quotes nothing that was typed",
  { timeout: 60_000 },
  async ([, command]) => {
    const quoted: string[] = [];
    for (const [what, words] of linesOf(command)) {
      const { code, err } = await run(words);
      if (code !== 0 && err.toLowerCase().includes(CANARY.toLowerCase()))
        quoted.push(`${what}: ${err.trim()}`);
    }
    expect(quoted).toEqual([]);
  },
);
