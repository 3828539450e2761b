// Each program that works on a file as the only one, and those that keep a state in one: the rules that all of them follow.
import {
  existsSync,
  globSync,
  linkSync,
  readdirSync,
  readFileSync,
  renameSync,
  statSync,
  writeFileSync,
} from "node:fs";
import { createServer } from "node:http";
import { once } from "node:events";
import type { AddressInfo } from "node:net";
import { join } from "node:path";
import { type Clock, isIntact } from "@fieldmesh/core/internal";
import { createConsoleClient } from "@fieldmesh/console-client";
import type { Sandbox } from "@fieldmesh/sandbox";
import { withLock } from "@fieldmesh/sandbox/internal";
import { afterAll, beforeAll, expect, test } from "vitest";
import { canaries } from "../../../tools/canaries/canaries.ts";
import { importDevices } from "../../../examples/tour/inventory.ts";
import { run as exportDevices } from "../src/fleet/export-devices.ts";
import { run as importFile } from "../src/fleet/import-devices.ts";
import { runApply, runExport } from "../src/fleet/move-fleet.ts";
import { exportOf } from "../src/ledger/export-list.ts";
import { webhookCommands } from "../src/webhooks/commands.ts";
import { runCommand, testContext } from "./context.ts";
import {
  APP_EUI,
  emptyConsole,
  errorOf,
  eui,
  folder,
  inventory,
  keyOf,
  writes,
} from "./fleet/fleet-context.ts";
import { leavingFleet, STACK } from "./fleet/leaving-fleet.ts";
import { startThingsStack } from "./fleet/things-stack-server.ts";

const receiver = createServer((_request, response) => response.end());
beforeAll(async () => void (await once(receiver.listen(0, "127.0.0.1"), "listening")));
afterAll(() => void receiver.close());

interface World {
  readonly sandbox: Sandbox<Clock>;
  readonly files: ReturnType<typeof folder>;
  /** The network server of a row that uses one. */
  stack?: Awaited<ReturnType<typeof startThingsStack>>;
  /** Is called with each request. */
  onRequest: () => void;
}

interface Program {
  /** As in its call of `stateFile`. Omitted, with `state`, if it keeps none. */
  readonly kind?: string;
  readonly state?: (world: World) => string;
  /** The file whose lock it takes. */
  readonly locked: string;
  /** The file that it writes, and that exists only when it is complete. */
  readonly written?: string;
  readonly run: (world: World) => Promise<unknown>;
}
type Keeper = Required<Pick<Program, "kind" | "state">> & Program;

const CONSOLE = { settleTime: "0.001" };
const DAY = { minTime: "2026-11-19T08:00:00Z", maxTime: "2026-11-20T08:00:00Z" };
const accountOf = ({ sandbox }: World): string => sandbox.ledger.state.chain.addresses.of(1);

const PROGRAMS: Readonly<Record<string, Program>> = {
  "devices import": {
    kind: "devices import",
    state: () => "devices.csv.import.json",
    locked: "devices.csv",
    run: async ({ sandbox, files }) => {
      const file = files.write("devices.csv", inventory(3).replaceAll("Pumps", ""));
      await runCommand(importFile, testContext({ sandbox }), CONSOLE, file);
    },
  },
  "fleet apply": {
    kind: "fleet apply",
    state: () => "fleet.json.apply.json",
    locked: "fleet.json",
    run: async ({ sandbox, files }) => {
      const file = files.at("fleet.json");
      if (!existsSync(file)) {
        const from = emptyConsole();
        const { devices } = await testContext({ sandbox: from }).client("console");
        await devices.create({ name: "a", dev_eui: eui(1), app_eui: APP_EUI, app_key: keyOf(1) });
        await runCommand(runExport, testContext({ sandbox: from }), { clear: true }, file);
      }
      await runCommand(runApply, testContext({ sandbox, yes: true }), CONSOLE, file);
    },
  },
  "fleet apply --target": {
    locked: "fleet.json",
    run: async (world) => {
      const { files } = world;
      const stack = (world.stack = await startThingsStack(["water-meters"]));
      stack.setFault(() => {
        world.onRequest();
        return undefined;
      });
      const env = { THINGS_STACK_URL: stack.url, THINGS_STACK_KEY: stack.apiKey };
      const file = files.write("fleet.json", leavingFleet());
      const application_id = "water-meters";
      const mapping = { ...STACK, devices: { ...STACK.devices, application_id } };
      const options = {
        target: "things-stack",
        mapping: files.write("m.json", JSON.stringify(mapping)),
      };
      await runCommand(runApply, testContext({ env, yes: true }), options, file);
    },
  },
  "devices export": {
    locked: "devices.csv",
    written: "devices.csv",
    run: async ({ sandbox, files }) =>
      await runCommand(exportDevices, testContext({ sandbox }), { out: files.at("devices.csv") }),
  },
  "fleet export": {
    locked: "fleet.json",
    written: "fleet.json",
    run: async ({ sandbox, files }) =>
      await runCommand(
        runExport,
        testContext({ sandbox }),
        { clear: true },
        files.at("fleet.json"),
      ),
  },
  "ledger export": {
    kind: "ledger export",
    state: () => "rewards.csv.state.json",
    locked: "rewards.csv",
    run: async (world) => {
      const options = { ...DAY, out: world.files.at("rewards.csv"), lanes: "1" };
      await runCommand(exportOf("rewards").run, testContext(world), options, accountOf(world));
    },
  },
  "ledger export --partition": {
    kind: "ledger export",
    state: (world) => `.${accountOf(world)}.state.json`,
    locked: "manifest-1-of-1.ndjson",
    run: async (world) => {
      const accounts = world.files.write("accounts.txt", accountOf(world));
      const options = { ...DAY, partition: "day", accounts, out: world.files.at(""), lanes: "1" };
      await runCommand(exportOf("rewards").run, testContext(world), options);
    },
  },
  "webhooks catch-up": {
    kind: "catch-up",
    state: () => "place.json",
    locked: "place.json",
    run: async ({ sandbox, files }) => {
      const env = { FIELDMESH_WEBHOOK_SECRET: canaries.webhookSecret };
      const { load } = webhookCommands.find(({ path }) => path === "webhooks catch-up")!;
      const { run } = await load();
      const { port } = receiver.address() as AddressInfo;
      const to = `http://127.0.0.1:${port}/`;
      const options = { to, since: "2026-11-01", checkpoint: files.at("place.json") };
      await runCommand(run, testContext({ sandbox, env }), options);
    },
  },
  "examples/import-inventory.ts": {
    kind: "an import",
    state: () => "checkpoint.json",
    locked: "checkpoint.json",
    run: async ({ sandbox, files }) => {
      const { baseUrl, fetch } = sandbox.console;
      const client = createConsoleClient({ baseUrl, fetch, apiKey: sandbox.apiKey });
      const device = { name: "a", dev_eui: eui(1), app_eui: APP_EUI, app_key: keyOf(1) };
      await importDevices(client, [device], files.at("checkpoint.json"), () => undefined);
    },
  },
};

/** Ends a run in the middle, so that it leaves its state. */
async function leaveState(program: Keeper, world: World): Promise<string> {
  world.sandbox.setFaults([
    { on: "devices.createBatch", kind: "status", status: 401, times: Infinity },
    { on: "accounts.rewards", kind: "status", status: 400, skip: 2, times: Infinity },
  ]);
  await program.run(world).catch(() => undefined);
  world.sandbox.setFaults(undefined);
  world.sandbox.log.clear();
  return world.files.at(program.state(world));
}

type Rule<P extends Program> = (program: P, world: World) => Promise<void>;

const STATE_RULES: Readonly<Record<string, Rule<Keeper>>> = {
  "only this user can read the state": async (program, world) => {
    expect(statSync(await leaveState(program, world)).mode & 0o777).toBe(0o600);
  },
  "the state has a version, the kind of its run and a checksum": async (program, world) => {
    const state = JSON.parse(readFileSync(await leaveState(program, world), "utf8")) as {
      readonly checksum: string;
    };
    expect(state).toMatchObject({ version: 1, kind: program.kind });
    expect(isIntact(state)).toBe(true);
  },
  "a new file replaces the state, and nothing else is left": async (program, world) => {
    const state = await leaveState(program, world);
    const content = readFileSync(state, "utf8");
    linkSync(state, world.files.at("before"));
    await world.sandbox.webhooks.trigger("plan.deleted");
    await program.run(world);
    expect(readFileSync(world.files.at("before"), "utf8")).toBe(content);
    if (existsSync(state)) expect(readFileSync(state, "utf8")).not.toBe(content);
    expect(world.files.names().filter((name) => /\.lock|\.new|-[\da-f-]{36}$/.test(name))).toEqual(
      [],
    );
  },
  "a damaged or changed state is an error that says what to do": async (program, world) => {
    const state = await leaveState(program, world);
    const content = readFileSync(state, "utf8");
    for (const [text, message] of [
      ["{", /is damaged, or is not the state of .*\. .*[Dd]elete it/],
      [content.replace('"state":{', '"state":{"more":1,'), /was changed since .*\. .*[Dd]elete it/],
    ] as const) {
      writeFileSync(state, text);
      const error = await errorOf(program.run(world));
      expect(error).toMatchObject({
        exitCode: 2,
        message: expect.stringMatching(message) as string,
      });
      expect(error.message).toContain(state);
      expect([readFileSync(state, "utf8"), writes(world.sandbox)]).toEqual([text, 0]);
    }
  },
};

const LOCK_RULES: Readonly<Record<string, Rule<Program>>> = {
  "a second process ends with a message, and sends nothing": async (program, world) => {
    const file = world.files.at(program.locked);
    if (keepsState(program) && !existsSync(file)) await leaveState(program, world);
    let requests = 0;
    world.onRequest = () => requests++;
    await withLock(file, async () => {
      expect(await errorOf(program.run(world))).toMatchObject({
        exitCode: 1,
        message: expect.stringMatching(
          new RegExp(`^Process ${process.pid} on .* has been working on ${file} since .*: wait`),
        ) as string,
      });
    });
    expect(requests).toBe(0);
  },
  "a process that has lost the lock stops before its next write": async (program, world) => {
    const lock = world.files.at(`${program.locked}.lock`);
    let isLost = false;
    world.onRequest = () => {
      if (!isLost) renameSync(join(lock, readdirSync(lock)[0]!), join(lock, "thief"));
      isLost = true;
    };
    expect(await errorOf(program.run(world))).toMatchObject({
      exitCode: 1,
      message: expect.stringMatching(/^Another process has taken over/) as string,
    });
    const own = [program.state?.(world), program.written].filter((each) => each !== undefined);
    const found = own.filter((each) => existsSync(world.files.at(each)));
    const sent = writes(world.sandbox) + (world.stack?.writes() ?? 0);
    expect([found, sent, readdirSync(lock)]).toEqual([[], 0, ["thief"]]);
  },
};

for (const [name, program] of Object.entries(PROGRAMS)) {
  const prove = (rule: string, proof: (world: World) => Promise<void>): void =>
    test(`${name}: ${rule}`, async () => {
      const world: World = { sandbox: emptyConsole(), files: folder(), onRequest: () => undefined };
      await world.sandbox.webhooks.trigger("plan.created");
      world.sandbox.setFaults(() => {
        world.onRequest();
        return undefined;
      });
      await proof(world);
    });
  for (const [rule, proof] of Object.entries(LOCK_RULES))
    prove(rule, (world) => proof(program, world));
  if (keepsState(program))
    for (const [rule, proof] of Object.entries(STATE_RULES))
      prove(rule, (world) => proof(program, world));
}

function keepsState(program: Program): program is Keeper {
  return program.state !== undefined;
}

test("each program that keeps a state has a row", () => {
  const cwd = join(import.meta.dirname, "../../..");
  const kinds = globSync(["packages/*/src/**/*.ts", "examples/**/*.ts"], {
    cwd,
    exclude: (name) => /node_modules|\.test\.ts$|state-file\.ts$|testing/.test(name),
  }).flatMap((file) => {
    const source = readFileSync(join(cwd, file), "utf8");
    if (!/state(?:File|Of)</.test(source)) return [];
    return [...source.matchAll(/kind: "([^"]+)"/g)].map(([, kind]) => kind);
  });
  // That a file is complete is remembered for ten minutes. Nothing resumes from it.
  const rows = [
    ...Object.values(PROGRAMS).flatMap(({ kind }) => kind ?? []),
    "a finished ledger export",
  ];
  expect(new Set(kinds)).toEqual(new Set(rows));
});
