import { readFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test, vi } from "vitest";
import type { Input } from "../../src/command.ts";
import { fleetCommands } from "../../src/fleet/commands.ts";
import { createProgram, parse } from "../../src/program.ts";
import { runCommand, testContext } from "../context.ts";
import { APP_EUI, emptyConsole, eui, folder, held, keyOf } from "./fleet-context.ts";

vi.mock("age-encryption", async (original) =>
  (await import("./quick-age.ts")).quickAge(await original()),
);

const guide = readFileSync(
  join(import.meta.dirname, "../../../../docs/guides/move-a-fleet.md"),
  "utf8",
);
const lines = [...guide.matchAll(/```sh\n([^]*?)```/g)].flatMap(([, block = ""]) =>
  block.trim().split("\n"),
);
const [, targets = ""] = /```json\n(\{\n  "devices"[^]*?)```/.exec(guide) ?? [];

test("the lines of the guide move a fleet from one console to another", async () => {
  const [from, to, other] = [emptyConsole(), emptyConsole(), emptyConsole()];
  const files = folder();
  files.write(
    "inventory.csv",
    `Device EUI;Join EUI;Application Key;Group\n${eui(1)};${APP_EUI};${keyOf(1)};Spares\n${eui(2)};${APP_EUI};${keyOf(2)};\n`,
  );
  files.write("targets.json", targets);
  const ran: string[] = [];
  const program = createProgram({
    version: "",
    commands: fleetCommands,
    groups: {},
    stdout: () => undefined,
    async run(command, globals, { arguments: args, options }: Input) {
      const sandbox = globals.sandbox === true ? other : globals.profile === undefined ? from : to;
      const env = { FIELDMESH_PASSPHRASE: "correct horse" };
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
  expect(files.names()).toEqual([
    "calls.ndjson.age",
    "devices.csv",
    "end-devices.json",
    "fleet.age",
    "inventory.csv",
    "mapping.json",
    "targets.json",
  ]);
}, 60_000);
