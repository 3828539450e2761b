import { expect, test } from "vitest";
import { createSandbox } from "../../engine/sandbox/sandbox.ts";
import { UsageError } from "../command-error.ts";
import { switches } from "../switches.ts";
import {
  givenServiceSwitches,
  inWordsOfFlags,
  readSwitches,
  type SwitchSettings,
  typedSwitches,
} from "./read-switches.ts";

const read = (options: Record<string, string | boolean | readonly string[]>) =>
  readSwitches({ arguments: [], options });

test.each([
  ["0", 0],
  ["12", 12],
  ["0.25", 0.25],
  ["10.50", 10.5],
  ["Infinity", Infinity],
])("%j is a number", (text, number) => {
  expect(read({ logSize: text })).toEqual({ logSize: number });
});

test.each(["", " 1", "1 ", "-1", "1.", ".5", "1e3", "0x1", "1,5", "infinity", "-Infinity", "NaN"])(
  "%j is not a number",
  (logSize) => {
    expect(() => read({ logSize })).toThrow(
      new UsageError(`--log-size needs a number, or Infinity.`),
    );
  },
);

test("a list is split at its commas, without empty items, and may be empty", () => {
  const listOf = (mobilePersonalDataFor: string) => read({ mobilePersonalDataFor }).mobile;
  expect(listOf("sk")).toEqual({ personalDataFor: ["sk"] });
  expect(listOf(",pk,,rk,")).toEqual({ personalDataFor: ["pk", "rk"] });
  expect(listOf("")).toEqual({ personalDataFor: [] });
  expect(read({ ledgerLoops: "any.row" })).toEqual({ ledger: { loops: ["any.row"] } });
});

test("what is of another type than the switch is no setting", () => {
  expect(read({ logSize: true, consoleData: false, ledgerLoops: ["a"], cors: "no" })).toEqual({});
  expect(read({ mobileFraudScreening: false, cors: true })).toEqual({});
});

test("the given switches of services do not include those of the server and the log", () => {
  const flags = (options: Record<string, string | boolean>) =>
    givenServiceSwitches({ arguments: [], options }).map(({ flag }) => flag);
  expect(flags({})).toEqual([]);
  expect(flags({ cors: false, logSize: "1", logBytes: "1", seed: "1" })).toEqual([]);
  expect(flags({ ledgerFiltersInCursor: true, mobileFraudScreening: false })).toEqual([]);
  expect(
    flags({ mobileBudgetsReads: "1", ledgerFiltersInCursor: false, consoleData: "empty" }),
  ).toEqual(["console-data", "no-ledger-filters-in-cursor", "mobile-budgets-reads"]);
});

test.each<[SwitchSettings, string[]]>([
  [{}, []],
  [{ cors: false, logSize: 5 }, ["--no-cors", "--log-size 5"]],
  [{ console: {} }, []],
  [{ console: { deployment: "hosted" } }, ["--console-deployment hosted"]],
  [{ ledger: { expiredText: "Cursor Expired" } }, ['--ledger-expired-text "Cursor Expired"']],
  [
    { ledger: { blockInterval: Infinity, filtersInCursor: false } },
    ["--ledger-block-interval Infinity", "--no-ledger-filters-in-cursor"],
  ],
  [
    { mobile: { personalDataFor: ["pk", "sk"], fraudScreening: true, budgets: { reads: 0 } } },
    ["--mobile-budgets-reads 0", "--mobile-personal-data-for pk,sk", "--mobile-fraud-screening"],
  ],
])("%j is typed as %j", (settings, typed) => {
  expect(typedSwitches(settings)).toEqual(typed);
});

test("a wrong number is told in the words of its option", () => {
  const told = switches.flatMap(({ flag, kind }) => {
    const name = flag.replace(/-(\w)/g, (_, letter: string) => letter.toUpperCase());
    return (kind === "number" ? ["0.3", "0", "1000000000000000000000"] : []).flatMap((value) => {
      try {
        createSandbox(read({ [name]: value }));
        return [];
      } catch (error) {
        return [{ flag, message: inWordsOfFlags((error as Error).message) }];
      }
    });
  });
  expect(told.length).toBeGreaterThan(5);
  for (const { flag, message } of told) expect(message).toMatch(new RegExp(`^--${flag} must be `));
});

test.each([
  ["ledger.height must be 1.", "--ledger-height must be 1."],
  ["logSize must be 1, and logSize is 0.", "--log-size must be 1, and logSize is 0."],
  ["fraudScreening must be true or false.", "--mobile-fraud-screening must be true or false."],
  ["mobile.budgets.reads must be 1.", "--mobile-budgets-reads must be 1."],
])("the message %j is told as %j", (message, told) => {
  expect(inWordsOfFlags(message)).toBe(told);
});

test("a message about something else stays as it is", () => {
  for (const message of ["", "seed must be a string.", "The snapshot has no clock."])
    expect(inWordsOfFlags(message)).toBe(message);
});
