import { expect, test } from "vitest";
import { UsageError } from "../command-error.ts";
import { sandboxCommand, webhookCommands } from "../specs.ts";
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

const send = webhookCommands.find(({ name }) => name === "send");

test("a command line has its arguments, options and switches, and nothing else", () => {
  const none = { input: { arguments: [], options: {} }, isJson: false, isQuiet: false };
  expect(readProgram([])).toEqual({ command: sandboxCommand, ...none });
  expect(readProgram(["--json"])).toEqual({ command: sandboxCommand, ...none, isJson: true });
  expect(readProgram(["--quiet"])).toEqual({ command: sandboxCommand, ...none, isQuiet: true });
  const to = "http://127.0.0.1:3000/hooks";
  expect(readProgram(["send", "--secret-file=a.txt", "plan.created", "--to", to])).toEqual({
    command: send,
    input: { arguments: ["plan.created"], options: { secretFile: "a.txt", to } },
    isJson: false,
    isQuiet: false,
  });
});

test("switches may be before or after arguments, and what follows -- is an argument", () => {
  for (const args of [
    ["send", "--unknown", "sim.moved", "--to", "x"],
    ["send", "sim.moved", "--to", "x", "--unknown"],
    ["send", "--unknown", "--to", "x", "--", "sim.moved"],
  ])
    expect(readProgram(args)).toMatchObject({
      input: { arguments: ["sim.moved"], options: { unknown: true, to: "x" } },
    });
  expect(() => readProgram(["--", "--json"])).toThrow(
    new UsageError("There are too many arguments; see --help."),
  );
});

test("the last value of an option is used, and all values of one that is repeatable", () => {
  expect(readProgram(["--seed", "1", "--seed", "2"])).toMatchObject({
    input: { options: { seed: "2" } },
  });
  expect(readProgram(["listen", "--events", "sim.*"])).toMatchObject({
    input: { options: { events: ["sim.*"] } },
  });
  expect(
    readProgram(["listen", "--events", "a", "--port", "1", "--events", "b", "--events", "c"]),
  ).toMatchObject({ input: { options: { events: ["a", "b", "c"], port: "1" } } });
});

test("only the commands for tests on this machine accept a secret on the command line", () => {
  const url = "http://127.0.0.1:1";
  expect(readProgram(["--webhook", url, "--secret", "s"])).toMatchObject({
    input: { options: { secret: "s" } },
  });
  expect(readProgram(["send", "sim.activated", "--to", url, "--secret", "s"])).toMatchObject({
    input: { options: { secret: "s" } },
  });
  for (const { name } of webhookCommands.filter((each) => each !== send))
    expect(() => readProgram([name, "--secret", "s"])).toThrow("There is no such option; ");
});

test("an optional argument may be left out", () => {
  expect(readProgram(["replay", "--from", "a.ndjson"])).toMatchObject({
    command: { name: "replay" },
    input: { arguments: [], options: { from: "a.ndjson" } },
  });
});

test("help of an incomplete command line is help, and its version is the version", () => {
  expect(readProgram(["send", "--help"])).toEqual({ show: "help", command: send });
  expect(readProgram(["send", "--version"])).toEqual({ show: "version" });
  expect(readProgram(["help", "send", "--json"])).toEqual({ show: "help", command: send });
});

test.each([
  [["--prot", "1"], "There is no such option; see --help."],
  [["--console-input", "spec"], "There is no such option; did you mean --console-inputs?"],
  [["--cors"], "There is no such option; see --help."],
  [["--no-cors=yes"], "--no-cors takes no value; see --help."],
  [
    ["--console-deployment", "hostd"],
    '--console-deployment accepts spec or hosted. Did you mean "hosted"?',
  ],
  [["--ledger-expired-text", "x"], "--ledger-expired-text accepts Bad Request or Cursor Expired."],
  [["--console-deployment", "planets"], "--console-deployment accepts spec or hosted."],
  [["--console-deployment", ""], "--console-deployment accepts spec or hosted."],
  [["--console-deployment"], "--console-deployment needs a value; see --help."],
  [["-p", "1"], "There is no such option; see --help."],
  [["--quie"], "There is no such option; did you mean --quiet?"],
  [["--prot=1"], "There is no such option; see --help."],
  [["--latencys", "1"], "There is no such option; did you mean --latency?"],
  [["--json=yes"], "--json takes no value; see --help."],
  [[""], "There are too many arguments; see --help."],
  [["listen", "a"], "There are too many arguments; see --help."],
  [["4010"], "There is no such command; see --help."],
  [["triger", "sim.activated"], "There is no such command; did you mean trigger?"],
  [["help", "triger"], "There is no such command; did you mean trigger?"],
  [["trigger", "a", "b"], "There are too many arguments; see --help."],
  [["trigger"], "trigger needs <type>: an event type, such as sim.activated."],
  [["send", "sim.activated"], "send needs --to <url>; see --help."],
  [["--port"], "--port needs a value; see --help."],
  [["--help=yes"], "--help takes no value; see --help."],
  [["record"], "record needs --port <number>; see --help."],
  [["catch-up", "--to", "x"], "catch-up needs --since <time>; see --help."],
  [["catch-up", "--since", "x"], "catch-up needs --to <url>; see --help."],
  [["verify", "--headers", "a"], "verify needs --body <file>; see --help."],
  [["planets"], "There is no such command; see --help."],
  [["trigger", "sim.activated", "--secret", "x"], "There is no such option; see --help."],
])("%j is rejected with one sentence", (args, sentence) => {
  expect(() => readProgram(args)).toThrow(new UsageError(sentence));
});
