// Measures what the import of a package costs, its size in a bundle, and what its types cost a compiler, beside peers: npm run bench -- imports
import { execFileSync } from "node:child_process";
import { rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { installConsumer } from "../tools/tarballs/consumer.ts";
import { bundle } from "../tools/tarballs/sizes.ts";
import { nextMessage, startChild } from "./support/child.ts";
import { takeTurns } from "./support/measure.ts";
import { finish, limit, note, table } from "./support/report.ts";

const ROUNDS = 21;
const MOST_OF_KY_AND_ZOD = 1.25;
const TYPESCRIPT = "6.0.3";
const NOTHING = "nothing";
const KY_AND_ZOD = "ky and zod/mini";
const FIELDMESH = "@fieldmesh/console-client";

/** The beginning of a user's file. */
const imports: Readonly<Record<string, string>> = {
  [NOTHING]: "",
  [KY_AND_ZOD]: 'import ky from "ky"; import * as z from "zod/mini"; export { ky, z };',
  [FIELDMESH]: 'export { createConsoleClient } from "@fieldmesh/console-client";',
  "@fieldmesh/ledger-client": 'export { createLedgerClient } from "@fieldmesh/ledger-client";',
  "@fieldmesh/mapper-client": 'export { createMapperClient } from "@fieldmesh/mapper-client";',
  "@fieldmesh/mobile-client": 'export { createMobileClient } from "@fieldmesh/mobile-client";',
  "@fieldmesh/webhook-types": 'export { createVerifier } from "@fieldmesh/webhook-types";',
  "@fieldmesh/webhook-types/parse": 'export { parseEvent } from "@fieldmesh/webhook-types/parse";',
  openai: 'import OpenAI from "openai"; export { OpenAI };',
  "@octokit/core": 'export { Octokit } from "@octokit/core";',
  stripe: 'import Stripe from "stripe"; export { Stripe };',
};
/** A program that imports a client and makes its first call. */
const firstCalls: Readonly<Record<string, string>> = {
  "fetch of Node": `await (await fetch(process.env.BASE_URL + "/api/v1/labels")).json();`,
  [KY_AND_ZOD]: `import ky from "ky"; import * as z from "zod/mini";
    const Labels = z.array(z.object({ id: z.guid(), name: z.string() }));
    z.parse(Labels, await ky.get(process.env.BASE_URL + "/api/v1/labels").json());`,
  [FIELDMESH]: `import { createConsoleClient } from "@fieldmesh/console-client";
    await createConsoleClient({ baseUrl: process.env.BASE_URL, apiKey: "bench-key" }).labels.list();`,
  openai: `import OpenAI from "openai";
    await new OpenAI({ baseURL: process.env.BASE_URL, apiKey: "bench-key" }).get("/api/v1/labels");`,
  "@octokit/core": `import { Octokit } from "@octokit/core";
    await new Octokit({ baseUrl: process.env.BASE_URL }).request("GET /api/v1/labels");`,
  stripe: `import Stripe from "stripe";
    const { hostname: host, port } = new URL(process.env.BASE_URL);
    const options = { host, port, protocol: "http", telemetry: false };
    await new Stripe("sk_test_bench", options).rawRequest("GET", "/api/v1/labels");`,
};
const CLI = "@fieldmesh/cli/bin/fieldmesh.js";
const HELP = "fieldmesh --help";
const LIST = "fieldmesh labels list";
/** What a command may cost, over an empty process: a list calls the fetch of Node, which alone costs 3.6. */
const MOST_OF_HELP = 2.5;
const MOST_OF_A_LIST = 7.5;
/** Programs that run a command of the command line. */
const commands: Readonly<Record<string, string>> = {
  [NOTHING]: "",
  "fetch of Node": firstCalls["fetch of Node"]!,
  [HELP]: command("--help"),
  [LIST]: command("labels", "list"),
};
/** A call and a part of its result, which the compiler has to check. */
const uses: Readonly<Record<string, string>> = {
  [FIELDMESH]: `import { createConsoleClient } from "@fieldmesh/console-client";
    const client = createConsoleClient({ baseUrl: "https://console.test", apiKey: "key" });
    export const names: string[] = (await client.labels.list()).map(({ name }) => name);`,
  "@fieldmesh/ledger-client": `import { createLedgerClient } from "@fieldmesh/ledger-client";
    const client = createLedgerClient({ baseUrl: "https://ledger.test" });
    export const { height } = await client.blocks.height();`,
  "@fieldmesh/webhook-types/receiver": `import { createReceiver, memoryStore } from "@fieldmesh/webhook-types/receiver";
    export const receive = createReceiver({ secret: "whsec_of_the_bench", store: memoryStore(), handlers: {
      "sim.activated": (event) => console.log(event.data.object.id), otherwise: () => undefined } });`,
  openai: `import OpenAI from "openai";
    const client = new OpenAI({ apiKey: "key" });
    export const names: string[] = (await client.models.list()).data.map(({ id }) => id);`,
  "@octokit/core": `import { Octokit } from "@octokit/core";
    export const { data } = await new Octokit().request("GET /repos/{owner}/{repo}/labels", { owner: "a", repo: "b" });`,
  stripe: `import Stripe from "stripe";
    const client = new Stripe("sk_test_bench");
    export const names = (await client.products.list()).data.map(({ name }) => name);`,
};
const PEERS = { openai: "7.57.0", "@octokit/core": "7.0.8", stripe: "23.1.0" };

const folder = await installConsumer([TYPESCRIPT], PEERS);
const server = startChild("calls/server.ts", undefined);
const baseUrl = `http://127.0.0.1:${await nextMessage<number>(server)}`;
const env = { ...process.env, BASE_URL: baseUrl, CONSOLE_URL: baseUrl, CONSOLE_KEY: "bench-key" };
try {
  const files = Object.fromEntries(
    Object.entries(imports).map(([name, code], index) => {
      return [name, { code, program: writeProgram(`import-${index}.mjs`, code) }];
    }),
  );
  const cpu = await takeTurns(files, ROUNDS, async ({ program }) => cpuOf(program));
  const rows = [];
  for (const [name, { code }] of Object.entries(files)) {
    rows.push({
      import: name,
      "CPU ms": cpu[name]! / 1_000,
      "ratio to ky and zod/mini": cpu[name]! / cpu[KY_AND_ZOD]!,
      "KB in a bundle": (await bundle(code, folder)).first / 1_000,
    });
  }
  note(
    `A process imports one package and ends. The table shows its CPU time, the median of ${ROUNDS} starts, and the size of the import bundled for Node by esbuild, minified and gzipped, without what a call loads later.`,
  );
  table(rows);
  const callers = Object.fromEntries(
    Object.entries(firstCalls).map(([name, code], index) => [
      name,
      writeProgram(`call-${index}.mjs`, code),
    ]),
  );
  const firstCpu = await takeTurns(callers, ROUNDS, async (program) => cpuOf(program));
  note(
    `A process imports one package, gets four labels from a server in another process, and ends: its CPU time, the median of ${ROUNDS} starts. Node loads its fetch with the first call; the import of ky does so too.`,
  );
  table(
    Object.entries(firstCpu).map(([name, µs]) => ({
      "import and first call": name,
      "CPU ms": µs / 1_000,
      "ratio to ky and zod/mini": µs / firstCpu[KY_AND_ZOD]!,
    })),
  );
  const started = Object.fromEntries(
    Object.entries(commands).map(([name, code], index) => [
      name,
      writeProgram(`command-${index}.mjs`, code),
    ]),
  );
  const commandCpu = await takeTurns(started, ROUNDS, async (program) => cpuOf(program));
  const overEmpty = (name: string): number => commandCpu[name]! / commandCpu[NOTHING]!;
  note(
    `A command of the command line, whose list gets four labels from that server: its CPU time, the median of ${ROUNDS} starts.`,
  );
  table(
    Object.entries(commandCpu).map(([name, µs]) => ({
      command: name,
      "CPU ms": µs / 1_000,
      "ratio to an empty process": overEmpty(name),
    })),
  );
  note(
    `A program that makes one call and uses a part of its result, checked by TypeScript ${TYPESCRIPT}.`,
  );
  table(Object.entries(uses).map(([name, code]) => ({ program: name, ...checkTypes(code) })));
  limit(
    "CPU of an import, ratio to a file that imports ky and zod/mini",
    cpu[FIELDMESH]! / cpu[KY_AND_ZOD]!,
    { most: MOST_OF_KY_AND_ZOD },
  );
  limit(`CPU of ${HELP}, ratio to an empty process`, overEmpty(HELP), { most: MOST_OF_HELP });
  limit(`CPU of ${LIST}, ratio to an empty process`, overEmpty(LIST), { most: MOST_OF_A_LIST });
} finally {
  server.disconnect();
  rmSync(folder, { recursive: true, force: true, maxRetries: 5 });
}
finish();

/** Writes a program that prints what the process has used at its end, in µs. */
function writeProgram(name: string, code: string): string {
  const file = join(folder, name);
  const report = "const { user, system } = process.cpuUsage(); console.log(user + system);";
  writeFileSync(file, `${code}\n${report}\n`);
  return file;
}

function cpuOf(program: string): number {
  const printed = execFileSync(process.execPath, [program], { encoding: "utf8", env });
  // A command prints its result first.
  return Number(printed.trim().split("\n").at(-1));
}

function command(...words: readonly string[]): string {
  return `process.argv.push(...${JSON.stringify(words)}); await import("./node_modules/${CLI}");`;
}

/** The work of the compiler for a program, minus that for an empty one. */
function checkTypes(code: string) {
  const [all, none] = [code, "export {};"].map(diagnose);
  return {
    "types instantiated": all!.instantiations - none!.instantiations,
    "KB of memory": all!.memory - none!.memory,
    "check ms": all!.seconds * 1_000 - none!.seconds * 1_000,
  };
}

function diagnose(code: string) {
  const file = join(folder, "types.mts");
  writeFileSync(file, code);
  const tsc = join(folder, "node_modules", "typescript-6-0-3", "bin", "tsc");
  const flags = ["--noEmit", "--strict", "--skipLibCheck", "--extendedDiagnostics"];
  const modules = ["--module", "nodenext", "--target", "es2022", "--types", "node"];
  const printed = execFileSync(process.execPath, [tsc, ...flags, ...modules, file], {
    encoding: "utf8",
    cwd: folder,
  });
  const figure = (name: string): number =>
    Number(new RegExp(`^${name}:\\s+([\\d.]+)`, "m").exec(printed)?.[1]);
  return {
    instantiations: figure("Instantiations"),
    memory: figure("Memory used"),
    seconds: figure("Total time"),
  };
}
