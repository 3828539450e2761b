import { expect, test } from "vitest";
import { UsageError } from "../command-error.ts";
import {
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

test.each([
  ["ledger.height must be 1.", "--ledger-height must be 1."],
  ["logSize must be 1, and logSize is 0.", "--log-size must be 1, and logSize is 0."],
  ["fraudScreening must be true or false.", "--mobile-fraud-screening must be true or false."],
  ["mobile.budgets.reads must be 1.", "--mobile-budgets-reads must be 1."],
])("the message %j is told as %j", (message, told) => {
  expect(inWordsOfFlags(message)).toBe(told);
});
