import { expect, test } from "vitest";
import { UsageError } from "../command-error.ts";
import { webhookCommands } from "../specs.ts";
import { switchOptions } from "../switches.ts";
import { helpOf } from "./help.ts";
import { readProgram } from "./read-program.ts";

test("the default command starts the sandbox, and options accept a space or an equals sign", () => {
  expect(readProgram([])).toMatchObject({
    command: { name: "sandbox" },
    input: { arguments: [], options: {} },
  });
  expect(readProgram(["--port", "4010", "--latency=5"])).toMatchObject({
    input: { options: { port: "4010", latency: "5" } },
  });
});

test("reads arguments, switches, and a repeated option", () => {
  expect(
    readProgram(["listen", "--events", "sim.*", "--events", "plan.*", "--json"]),
  ).toMatchObject({
    command: { name: "listen" },
    input: { options: { events: ["sim.*", "plan.*"] } },
    isJson: true,
  });
  expect(readProgram(["replay", "evt_1", "--new-ids"])).toMatchObject({
    input: { arguments: ["evt_1"], options: { newIds: true } },
  });
});

test("--help is preferred to --version, and both to everything else", () => {
  expect(readProgram(["--port", "x", "--version", "--help"])).toEqual({ show: "help" });
  expect(readProgram(["--port", "x", "--version"])).toEqual({ show: "version" });
  for (const args of [["-h"], ["--help"], ["help"]])
    expect(readProgram(args)).toEqual({ show: "help", command: undefined });
  for (const args of [
    ["send", "-h"],
    ["send", "--help"],
    ["help", "send"],
  ])
    expect(readProgram(args)).toMatchObject({ show: "help", command: { name: "send" } });
});

test("the help of each command contains its options and its examples, and the examples are valid", () => {
  expect(helpOf(undefined)).toContain("--host <address>");
  for (const command of webhookCommands) {
    expect(helpOf(undefined)).toContain(command.summary);
    const help = helpOf(command);
    for (const { name } of command.options ?? []) expect(help).toContain(`  --${name}`);
    for (const { line } of command.examples) {
      expect(help).toContain(`  fieldmesh-sandbox ${line}\n`);
      expect(readProgram(line.replaceAll("'", "").split(" "))).toMatchObject({ command });
    }
  }
});

test.each([60, 80, 120])("the help fits into %i columns, and has every switch", (width) => {
  const help = helpOf(undefined, width);
  for (const { name } of switchOptions()) expect(help).toContain(`  --${name}`);
  expect(help.split("\n").filter((line) => line.length > width)).toEqual([]);
});

test("an option that begins with --no- is false", () => {
  expect(readProgram(["--no-cors", "--mobile-fraud-screening"])).toMatchObject({
    input: { options: { cors: false, mobileFraudScreening: true } },
  });
});

test.each([
  [["--prot", "1"], "Unknown option --prot; see --help."],
  [["--console-input", "spec"], "Unknown option --console-input; did you mean --console-inputs?"],
  [["--cors"], "Unknown option --cors; see --help."],
  [["--no-cors=yes"], "--no-cors takes no value; see --help."],
  [
    ["--console-deployment", "hostd"],
    '--console-deployment accepts spec or hosted, not "hostd". Did you mean "hosted"?',
  ],
  [
    ["--ledger-expired-text", "x"],
    '--ledger-expired-text accepts Bad Request or Cursor Expired, not "x".',
  ],
  [["-p", "1"], "Unknown option -p; see --help."],
  [["4010"], "Unexpected argument 4010; see --help."],
  [["triger", "sim.activated"], "Unexpected argument triger; did you mean trigger?"],
  [["help", "triger"], "Unexpected argument triger; did you mean trigger?"],
  [["trigger", "a", "b"], "Unexpected argument b; see --help."],
  [["trigger"], "trigger needs <type>: an event type, such as sim.activated."],
  [["send", "sim.activated"], "send needs --to <url>; see --help."],
  [["--port"], "--port needs a value; see --help."],
  [["--help=yes"], "--help takes no value; see --help."],
  [["trigger", "sim.activated", "--secret", "x"], "Unknown option --secret; see --help."],
])("%j is rejected with one sentence", (args, sentence) => {
  expect(() => readProgram(args)).toThrow(new UsageError(sentence));
});
