import { readFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test, vi } from "vitest";
import type { Input } from "../../src/command.ts";
import { commands } from "../../src/commands/commands.ts";
import { createProgram, parse } from "../../src/commands/program.ts";
import { run as runImport } from "../../src/fleet/import-devices.ts";
import { runCommand, testContext } from "../context.ts";
import { startChirpStack } from "./chirpstack-server.ts";
import { APP_EUI, emptyConsole, errorOf, eui, folder, held, keyOf } from "./fleet-context.ts";
import { startThingsStack } from "./things-stack-server.ts";

vi.mock("age-encryption", async (original) =>
  (await import("./quick-age.ts")).quickAge(await original()),
);

const guide = ["move-a-fleet", "leave-for-chirpstack-or-the-things-stack"]
  .map((name) =>
    readFileSync(join(import.meta.dirname, `../../../../docs/guides/${name}.md`), "utf8"),
  )
  .join("\n");
const lines = [...guide.matchAll(/```sh\n([^]*?)```/g)].flatMap(([, block = ""]) =>
  block
    .replaceAll(/\s*\\\n\s*/g, " ")
    .trim()
    .split("\n"),
);
const [chirp = "", stack = ""] = [...guide.matchAll(/```json\n(\{\n  "devices"[^]*?)```/g)].flatMap(
  ([, json = ""]) => json,
);
const known = (json: string, name: string): string[] => [
  ...new Set(
    [...json.matchAll(new RegExp(`"${name}": "(.*?)"`, "g"))].flatMap(([, id = ""]) => id),
  ),
];

test("an import says what the guide shows about its damaged rows", async () => {
  const [, csv = "", said = ""] = /```csv\n([^]*?)```\n\n```text\n([^]*?)\n```/.exec(guide) ?? [];
  const here = testContext({ sandbox: emptyConsole() });
  await errorOf(runCommand(runImport, here, {}, folder().write("devices.csv", csv)));
  expect(here.stderr.join("\n")).toBe(said);
});

test("the commands of the guides move a fleet from one console to another, and to other network servers", async () => {
  const [from, to, other] = [emptyConsole(), emptyConsole(), emptyConsole()];
  const files = folder();
  files.write(
    "inventory.csv",
    `Device EUI;Join EUI;Application Key;Group\n${eui(1)};${APP_EUI};${keyOf(1)};Spares\n${eui(2)};${APP_EUI};${keyOf(2)};\n`,
  );
  files.write("chirp.json", chirp);
  files.write("stack.json", stack);
  const chirpStack = await startChirpStack({
    applications: known(chirp, "application_id"),
    profiles: known(chirp, "device_profile_id"),
  });
  const thingsStack = await startThingsStack(known(stack, "application_id"));
  const env = {
    FIELDMESH_PASSPHRASE: "correct horse",
    CHIRPSTACK_URL: chirpStack.url,
    CHIRPSTACK_KEY: chirpStack.apiKey,
    THINGS_STACK_URL: thingsStack.url,
    THINGS_STACK_KEY: thingsStack.apiKey,
  };
  const ran: string[] = [];
  const program = createProgram({
    version: "",
    commands: commands,
    groups: {},
    stdout: () => undefined,
    async run(command, globals, { arguments: args, options }: Input) {
      const sandbox = globals.sandbox === true ? other : globals.profile === undefined ? from : to;
      const { run } = await command.load();
      const here = (name: unknown): unknown =>
        typeof name === "string" && /\.(csv|age|json)$/.test(name) ? files.at(name) : name;
      const paths = Object.fromEntries(
        Object.entries(options).map(([key, value]) => [key, here(value)]),
      );
      await runCommand(
        run,
        testContext({ sandbox, env }),
        paths as Input["options"],
        ...args.map((each) => here(each) as string),
      );
      ran.push(command.path);
    },
  });
  for (const line of lines) {
    const words = line.split(" ");
    await parse(program, words.slice(words[0] === "npx" ? 2 : 1));
  }
  expect(ran).toHaveLength(lines.length);
  expect(
    [held(from), held(to), held(other)].map((devices) => devices.map(({ active }) => active)),
  ).toEqual([
    [false, true],
    [false, true],
    [true, true],
  ]);
  expect([chirpStack.keys.size, thingsStack.held["AsEndDeviceRegistry"]?.size]).toEqual([2, 2]);
  expect(files.names()).toEqual([
    "calls.ndjson.age",
    "chirp.json",
    "devices.csv",
    "end-devices.json",
    "fleet.age",
    "inventory.csv",
    "mapping.json",
    "stack.json",
  ]);
}, 60_000);
