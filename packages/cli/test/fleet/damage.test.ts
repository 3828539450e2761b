import { parse } from "csv-parse/sync";
import { expect, test } from "vitest";
import { run } from "../../src/fleet/import-devices.ts";
import { runCommand, testContext } from "../context.ts";
import { APP_EUI, emptyConsole, errorOf, eui, folder, held, keyOf } from "./fleet-context.ts";

const FIELDS = ["dev_eui", "app_eui", "app_key"] as const;
type Field = (typeof FIELDS)[number];
type Case = readonly [cell: string, problem: string];
type Cases = Readonly<Record<Field, Case>>;

const AGAIN = "export it again from its source, with this column as text";
const NUMBER = `became a number with an exponent, and lost digits: ${AGAIN}`;
const ROUNDED = `was rounded by a spreadsheet, and lost its last digits: ${AGAIN}`;
const DECIMAL = `became a number with decimals, and lost digits: ${AGAIN}`;
const DATE = `became a date: ${AGAIN}`;
const CREATED = "created";
const formula = (error: string): string =>
  `is ${error}, the error of a formula: correct the formula, or write the value itself`;

/** The same damage in the cells of an EUI and of a key. */
const same = (euiCell: string, keyCell: string, problem: string): Cases => ({
  dev_eui: [euiCell, problem],
  app_eui: [euiCell, problem],
  app_key: [keyCell, problem],
});
/** The same damage in all fields: the last characters of a good value are others. */
const ending = (end: string, problem: (euiDigit: number) => string): Cases => ({
  dev_eui: ["70B3D57ED0052701".slice(0, -end.length) + end, problem(17 - end.length)],
  app_eui: ["70B3D57ED0052701".slice(0, -end.length) + end, problem(17 - end.length)],
  app_key: [keyOf(1).slice(0, -end.length) + end, problem(33 - end.length)],
});

const DAMAGES: Readonly<Record<string, Cases>> = {
  "an exponent": same("1.12233E+15", "1.12233E+30", NUMBER),
  "an exponent after a comma": same("1,12233E+15", "1,12234E+31", NUMBER),
  "an exponent of all digits": same("7.0B3D57ED0010002E+15", "1.12233445566778E+31", NUMBER),
  "an exponent without a point": same("1E15", "1E31", NUMBER),
  "an exponent without a plus": same("1.12233e15", "1.12233e31", NUMBER),
  "an exponent as formula": same('=""1.1E+15""', '=""1.1E+31""', NUMBER),
  separators: same(
    "1,122,334,455,667,788",
    "112.233.445.566.778.000.000.000",
    `became a number with separators, and lost digits: ${AGAIN}`,
  ),
  "16 digits with points": same(
    "1.122.334.455.667.788",
    "11.223.344.556.677.880.000.000.000.000.000",
    `became a number with separators, and lost digits: ${AGAIN}`,
  ),
  "15 digits": same("1122334455667780", "11223344556677800000000000000000", ROUNDED),
  "18 digits": same("1122334455667700", "1122334455667788990000000000000000", ROUNDED),
  "an exponent that was written out": same(
    "1122330000000000",
    "1122330000000000000000000000000000",
    ROUNDED,
  ),
  "a double": same("9876543210984010", "11223344556677888932849993646080", ROUNDED),
  "lost zeros": {
    dev_eui: [
      "4A770124002705",
      "has 14 digits instead of 16: if zeros at its beginning are lost, write 004A770124002705",
    ],
    app_eui: [
      "1",
      "has 1 digit instead of 16: if zeros at its beginning are lost, write 0000000000000001",
    ],
    app_key: [
      keyOf(1).slice(2),
      "has 30 digits instead of 32: if zeros at its beginning are lost, write 2 zeros before it",
    ],
  },
  "lost digits after the prefix of a vendor": {
    dev_eui: [
      "70B3D57ED005270",
      "has 15 digits instead of 16: compare it with the label of the device",
    ],
    app_eui: ["70B3D57ED00527", "has 14 digits instead of 16: compare it with its source"],
    app_key: [keyOf(1).slice(12), "has 20 digits instead of 32: compare it with its source"],
  },
  "a decimal zero": {
    dev_eui: ["1122334455667788.0", "became a number with decimals: write 1122334455667788"],
    app_eui: ["1,0", "became a number with decimals: write 0000000000000001"],
    app_key: ["1122334455667788900000000000000.0", DECIMAL],
  },
  "a large float": same("9876543210984012.0", "98765432109840120000000000000000.00", DECIMAL),
  "#N/A": same("#N/A", "#N/A", formula("#N/A")),
  "#REF!": same("#REF!", "#REF!", formula("#REF!")),
  "#NAME?": same("#NAME?", "#NAME?", formula("#NAME?")),
  "#WERT!": same("#WERT!", "#WERT!", formula("#WERT!")),
  "a narrow column": same(
    "########",
    "########",
    `is "####", because its column was too narrow: ${AGAIN}`,
  ),
  "a hidden value": same(
    "[redacted]",
    "****************",
    "is hidden in the file: make the file again with --reveal, or enter it",
  ),
  NULL: same("NULL", "nan", "has no value: enter it, or leave the row out"),
  "a date": same("2024-05-12", "12/05/2024", DATE),
  "a date with a time": same("12.05.2024 00:00", "2024-05-12T00:00:00Z", DATE),
  "a date with a month": same("12-Dec-24", "Mai 24", DATE),
  "a letter O": ending("O8", (at) => `has the letter O as digit ${at}, probably 0`),
  "a letter l": ending("l", (at) => `has the letter l as digit ${at}, probably 1`),
  "a Cyrillic letter": ending("В1", (at) => `has the Cyrillic letter В as digit ${at}, probably B`),
  "a letter G": ending("G", (at) => `has the letter G as digit ${at}, probably 6`),
  "a letter x": ending("x1", (at) => `has the letter x as digit ${at}, which is not hexadecimal`),
  "two letters": ending(
    "OS",
    (at) =>
      `has the letter O as digit ${at}, probably 0, and the letter S as digit ${at + 1}, probably 5`,
  ),
  words: same(
    "on request",
    "see the label",
    "is not hexadecimal: it needs digits from 0 to 9 and letters from A to F only",
  ),
  "too many digits": {
    dev_eui: [
      "70B3D57ED0052701A",
      "has 17 digits instead of 16: compare it with the label of the device",
    ],
    app_eui: ["70B3D57ED0052701A", "has 17 digits instead of 16: compare it with its source"],
    app_key: [`${keyOf(1)}A`, "has 33 digits instead of 32: compare it with its source"],
  },
  "another column": {
    dev_eui: [keyOf(1), "has 32 digits, as many as a key: it may be from another column"],
    app_eui: [keyOf(1), "has 32 digits, as many as a key: it may be from another column"],
    app_key: [eui(1), "has 16 digits, as many as an EUI: it may be from another column"],
  },
  placeholder: {
    dev_eui: ["FFFFFFFFFFFFFFFF", "is a placeholder: enter the one of the device"],
    // A usual JoinEUI.
    app_eui: ["0000000000000000", CREATED],
    app_key: ["00000000000000000000000000000000", "is a placeholder: enter the one of the device"],
  },
  nothing: {
    dev_eui: ["", "is missing"],
    app_eui: ["", "is missing: add it, or set one for all devices with --app-eui"],
    app_key: ["", "is missing"],
  },
};

/** Each damage in each field: a row that is good otherwise. */
const rows = Object.entries(DAMAGES).flatMap(([damage, cases]) =>
  FIELDS.map((field) => ({ name: `${damage} in ${field}`, field, damage: cases[field] })),
);

test("an import says what happened to each damaged value of each field", async () => {
  const files = folder();
  const cells = rows.map(({ name, field, damage: [cell] }, index) => {
    const good = { dev_eui: eui(index), app_eui: APP_EUI, app_key: keyOf(index), [field]: cell };
    return [name, ...FIELDS.map((each) => `"${good[each]}"`)].join();
  });
  const file = files.write("devices.csv", `name,${FIELDS.join()}\n${cells.join("\n")}\n`);
  const sandbox = emptyConsole();
  await errorOf(runCommand(run, testContext({ sandbox }), {}, file));
  const left = parse(files.read("devices.fix.csv"), { columns: true }) as Record<string, string>[];
  const problems = left.map(({ name = "", problem }) => [name, problem]);
  const created = held(sandbox).map(({ name }) => [name, CREATED]);
  const expected = rows.map(({ name, field, damage: [, problem] }) => [
    name,
    problem === CREATED ? problem : `the ${field} ${problem}`,
  ]);
  expect(Object.fromEntries([...problems, ...created])).toEqual(Object.fromEntries(expected));
});
