// What a person types who does not know the exact form, for every command: a positional id, another name of it, and mistakes.
import { expect, test } from "vitest";
import { camelCase } from "@fieldmesh/sandbox/internal";
import type { Command, Input } from "../src/command.ts";
import { commands as own, groups } from "../src/commands/commands.ts";
import { createProgram, parse } from "../src/commands/program.ts";
import { rowCommands } from "../src/rows/row-commands.ts";
import { readRows } from "../src/rows/with-service.ts";
import { createSandbox } from "@fieldmesh/sandbox";
import { testContext } from "./context.ts";

const rows = await rowCommands(["console", "ledger", "mapper", "mobile"]);
const commands = [...own, ...rows.commands];
const all = commands.map((command) => ({ path: command.path, command }));
const paths = commands.map(({ path }) => path);

/** Runs the parser only, and returns what the command receives. */
async function parsed(words: readonly string[]): Promise<Input> {
  let received: Input | undefined;
  const program = createProgram({
    version: "0",
    commands,
    groups: { ...groups, ...rows.groups },
    stdout: () => undefined,
    run: async (_command, _globals, input) => void (received = input),
  });
  await parse(program, words, async () => paths);
  return received as Input;
}

const wrong = (line: readonly string[]): Promise<string> =>
  parsed(line).then(
    () => "accepted",
    (error: Error) => error.message,
  );

/** The words of an option that a command requires, such as `--out x`. */
const required = ({ options = [] }: Command, but = ""): string[] =>
  options
    .filter((option) => option.required && option.name !== but)
    .flatMap(({ name, choices }) => [`--${name}`, choices?.[0] ?? "x"]);

const ID = /^(?:id|\w+_id|address|height|hash|location)$/;
const records = Object.values(await readRows()).flatMap((service) => service.commands);
const withId = records.filter(({ fields }) =>
  fields.some(({ name, required: must, kind }) => must && kind !== undefined && ID.test(name)),
);

test.each(withId)(
  "$path accepts its id without an option, with --id and with its own name",
  async (row) => {
    const field = row.fields.find(({ name, required: must }) => must && ID.test(name));
    const option = `${field?.name}`.replaceAll("_", "-");
    const words = row.path.split(" ");
    const expected = { [camelCase(option)]: "x1" };
    const names = [
      option,
      "id",
      ...(/the id of the (\w+)/.exec(field?.description ?? "") ?? [])
        .slice(1)
        .map((kind) => `${kind}-id`),
    ];
    expect((await parsed([...words, "x1"])).options).toMatchObject(expected);
    for (const name of names) {
      const { options } = await parsed([...words, `--${name}`, "x1"]);
      expect([name, options]).toEqual([name, expected]);
    }
    expect(await wrong([...words, "x1", `--${option}`, "x2"])).toContain("is given twice");
  },
);

test.each(commands.filter((command) => (command.arguments ?? []).length > 0))(
  "$path accepts each argument as an option of its name",
  async (command) => {
    const args = command.arguments ?? [];
    const values = args.map(({ choices }) => choices?.[0] ?? "x1");
    const typed = await parsed([...command.path.split(" "), ...values, ...required(command)]);
    const named = args.flatMap(({ name }, at) => [`--${name}`, `${values[at]}`]);
    expect(await parsed([...command.path.split(" "), ...named, ...required(command)])).toEqual(
      typed,
    );
    expect(typed.arguments).toEqual(values);
  },
);

test("an option of a command that is written by hand has no other meaning than its argument of that name", () => {
  const shared = own.flatMap(({ path, arguments: args = [], options = [] }) =>
    args.filter(({ name }) => options.some((option) => option.name === name)).map(() => path),
  );
  expect(shared).toEqual([]);
});

test.each(all)(
  "$path: a wrong option and an argument too many say what to type",
  async ({ command }) => {
    const words = command.path.split(" ");
    const shown = [
      ...(command.arguments ?? []).map(({ name }) => `<${name}>`),
      ...(command.options ?? []).map(({ name }) => `--${name}`),
    ];
    const says = (message: string): boolean =>
      [...shown, "--profile"].some((word) => message.includes(word));
    const values = (command.arguments ?? []).map(({ choices }) => choices?.[0] ?? "x1");
    const excess = await wrong([...words, ...values, "surplus", ...required(command)]);
    expect(excess).toMatch(
      /^There are too many arguments\. (Put an argument .+ quotes\. )?(After "|It has only)/,
    );
    expect(says(excess)).toBe(true);
    const unknown = await wrong([...words, ...values, ...required(command), "--zzzz", "1"]);
    expect(unknown).toContain(`"fieldmesh ${command.path}" has no option --zzzz.`);
    expect(says(unknown)).toBe(true);
  },
);

/** What a person types, and the option that some commands have for it. */
const OTHER_NAMES: readonly (readonly [typed: string, meant: string])[] = [
  ["--file", "--input"],
  ["--data", "--input"],
  ["--output", "--out"],
  ["-o", "--out"],
  ["--type", "--types"],
  ["--fields", "--columns"],
  ["--max", "--limit"],
  ["-n", "--limit"],
  ["--since", "--min-time"],
  ["--until", "--max-time"],
  ["--secret", "--secret-file"],
  ["--password", "--passphrase-file"],
  ["--concurrency", "--lanes"],
];

test.each(
  OTHER_NAMES.flatMap(([typed, meant]) =>
    all
      .filter(({ command: { options = [], arguments: args = [] } }) => {
        const has = (name: string): boolean => options.some((each) => `--${each.name}` === name);
        return has(meant) && !has(typed) && !args.some(({ name }) => `--${name}` === typed);
      })
      .map(({ path, command }) => ({ path, command, typed, meant })),
  ),
)("$path $typed suggests $meant", async ({ path, command, typed, meant }) => {
  const values = (command.arguments ?? []).map(({ choices }) => choices?.[0] ?? "x1");
  const message = await wrong([
    ...path.split(" "),
    ...values,
    typed,
    "x",
    ...required(command, meant.slice(2)),
  ]);
  expect(message).toMatch(new RegExp(`(?:Did you mean|Add) .*${meant}\\b`));
});

test.each(all)(
  "$path is suggested for a line with its words in another order, or without one",
  async ({ path }) => {
    const words = path.split(" ");
    const lines = [
      words.map((word) => (word.length > 5 ? word.slice(0, -1) : word)),
      words.toReversed(),
      ...words.slice(0, -1).map((_, at) => words.filter((__, place) => place !== at)),
    ].filter((line) => !paths.includes(line.join(" ")) && line.join(" ") !== path);
    for (const line of lines) {
      const message = await wrong(line);
      // Words that are an argument, or a group, of another command.
      if (/needs a command|is missing|too many arguments|accepted|must be one of/.test(message))
        continue;
      expect([line.join(" "), message]).toEqual([
        line.join(" "),
        expect.stringContaining("Did you mean "),
      ]);
    }
  },
);

test.each([
  ["ledger rewards", ["ledger accounts rewards", "ledger export rewards"]],
  ["ledger hotspots", ["ledger accounts hotspots"]],
  ["console events", ["console devices events"]],
  ["devices ls", ["console devices list"]],
  ["devices show", ["console devices get"]],
  ["webhooks redeliver", ["webhooks replay"]],
  ["labels rm", ["console labels delete"]],
  ["labels lsit", ["console labels list"]],
  ["whoami", ["doctor"]],
  ["profile show", ["profile list"]],
  ["config", ["profile"]],
])("%s suggests %s", async (line, meant) => {
  const message = await wrong(line.split(" "));
  for (const path of meant) expect(message).toContain(`"${path}"`);
});

test.each(withId)("without its id, $path says what to type", async ({ path }) => {
  const command = commands.find((each) => each.path === path);
  const { run } = await (command as Command).load();
  const context = testContext({ sandbox: createSandbox() });
  const error = (await run(context, { arguments: [], options: {} }).catch(
    (each: unknown) => each,
  )) as Error;
  expect(error.message).toMatch(
    new RegExp(`^The argument <[\\w-]+> is missing: type "fieldmesh ${path} <[\\w-]+>"\\.`),
  );
});
