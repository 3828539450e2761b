import { describe, expect, test } from "vitest";
import { readArguments, UsageError } from "./run-options.ts";

test("nothing is asked for, or all of it, with a blank or an equals sign", () => {
  expect(readArguments([])).toEqual({ options: {} });
  const options = {
    port: 4010,
    seed: "fleet 7",
    latency: 5,
    faults: { rate: 0.1, kinds: ["reset", 503] },
  };
  expect(
    readArguments(["--port", "4010", "--seed", "fleet 7", "--latency=5", "--faults=0.1:reset,503"]),
  ).toEqual({ options });
});

test("the secret of the webhook endpoint comes from the command line or the environment", () => {
  const env = { FIELDMESH_WEBHOOK_SECRET: "whsec_env" };
  const webhook = "http://127.0.0.1:3000/hooks";
  const secretOf = (args: string[]) => {
    const request = readArguments(args, env);
    return "options" in request && request.options.secret;
  };
  expect(secretOf(["--webhook", webhook, "--secret", "whsec_line"])).toBe("whsec_line");
  expect(secretOf(["--webhook", webhook])).toBe("whsec_env");
  expect(secretOf([])).toBeUndefined();
  expect(readArguments(["--webhook", webhook])).toEqual({ options: { webhook } });
});

test("faults may come without kinds", () => {
  expect(readArguments(["--faults", "1"])).toEqual({ options: { faults: { rate: 1 } } });
});

test("help goes before version, and both before all else", () => {
  expect(readArguments(["--port", "x", "--version", "--help"])).toEqual({ show: "help" });
  expect(readArguments(["--port", "x", "--version"])).toEqual({ show: "version" });
});

describe("what cannot be meant gives one sentence", () => {
  test.each([
    [["--prot", "1"], "unknown option --prot; see --help."],
    [["-p", "1"], "unknown option -p; see --help."],
    [["4010"], "unexpected argument 4010; see --help."],
    [["--port"], "--port needs a value; see --help."],
    [["--secret", "x"], "--secret signs what goes to --webhook, which is missing."],
    [["--webhook", "http://127.0.0.1:1", "--secret", ""], "--secret must not be empty."],
    [["--help=yes"], "--help takes no value; see --help."],
    [["--port", "70000"], '--port takes a whole number from 0 to 65535, not "70000".'],
    [["--port", "-1"], '--port takes a whole number from 0 to 65535, not "-1".'],
    [["--port=-1"], '--port takes a whole number from 0 to 65535, not "-1".'],
    [["--port="], '--port takes a whole number from 0 to 65535, not "".'],
    [["--latency", "1.5"], '--latency takes a whole number from 0 to 2147483647, not "1.5".'],
    [
      ["--faults", "2"],
      '--faults takes a share from 0 to 1, such as 0.1 or 0.1:reset,503, not "2".',
    ],
    [
      ["--faults", ":reset"],
      '--faults takes a share from 0 to 1, such as 0.1 or 0.1:reset,503, not ":reset".',
    ],
    [
      ["--faults", "0.1:"],
      '--faults knows reset, lost, truncate, garbage, delay and statuses from 400 to 599, not "".',
    ],
    [
      ["--faults", "0.1:200"],
      '--faults knows reset, lost, truncate, garbage, delay and statuses from 400 to 599, not "200".',
    ],
  ])("%j", (args, sentence) => {
    expect(() => readArguments(args)).toThrow(new UsageError(sentence));
  });
});
