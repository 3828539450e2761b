import { expect, test } from "vitest";
import { digitsOf } from "../../src/fleet/csv/cells.ts";

const EUI = "70B3D57ED0053801";
const bytes = EUI.match(/../g) ?? [];
const listOf = (separator: string, prefix = ""): string =>
  bytes.map((byte) => prefix + byte).join(separator);

const FORMS: Readonly<Record<string, string>> = {
  "the digits": EUI,
  "lower case": EUI.toLowerCase(),
  "with blanks": ` ${listOf(" ")}\t`,
  "with a blank that does not break": `${EUI.slice(0, 12)}\u00A0${EUI.slice(12)}`,
  "with colons": listOf(":"),
  "with points": "70b3.d57e.d005.3801",
  "with slashes": listOf("/"),
  "with a fraction slash": listOf("\u2044"),
  "with en dashes": listOf("\u2013"),
  "with hyphens that do not break": listOf("\u2011"),
  "with minus signs": listOf("\u2212"),
  "with fullwidth digits": "\uFF17\uFF10\uFF22\uFF13D57ED0053801",
  "with a zero-width blank": `\u200B${EUI.slice(0, 5)}\u200B${EUI.slice(5)}`,
  "with a soft hyphen": `${EUI.slice(0, 8)}\u00AD${EUI.slice(8)}`,
  "with a byte order mark": `\uFEFF${EUI}`,
  "with the mark of a direction": `\u202D${EUI}\u202C`,
  "a formula of a string": `="${EUI}"`,
  "behind an apostrophe": `'${EUI}`,
  "in quotes": `\u201C${EUI}\u201D`,
  "in braces": `{${EUI}}`,
  "behind 0x": `0x${listOf("-")}`,
  "behind #": `#${EUI}`,
  "before h": `${EUI}h`,
  "behind eui-": `eui-${EUI.toLowerCase()}`,
  "behind a name": `DevEUI: ${listOf("-")}`,
  "an array of C": `{ ${listOf(", ", "0x")} }`,
  "an array of C with short bytes": "{0x70,0xB3,0xD5,0x7E,0xD0,0x5,0x38,0x1};",
  "bytes of C": listOf(",", "0x"),
  "bytes without commas": listOf(" ", "0x"),
  "an array of bytes without 0x": `[${listOf(",")}]`,
  "an array of decimal bytes": "[112, 179, 213, 126, 208, 5, 56, 1]",
  "a string of C": listOf("", String.raw`\x`),
  "a byte string": `h'${EUI}'`,
};

test.for(Object.entries(FORMS))("an EUI is read %s", ([, cell]) => {
  expect(digitsOf(cell).toUpperCase()).toBe(EUI);
});

const NOT_DIGITS = [
  "7.0B3D57ED0010002E+15",
  "1,12233E+15",
  "1.12233E15",
  "123456789012345.0",
  "12345678901234.00",
  "1,122,334,455,667,788",
  "#N/A",
  "#NAME?",
  "70B3D57ED00527O8",
  "70В3D57ED0053805",
  "70B3D57ED005380l",
  "{ 112, 300, 213, 126, 208, 5, 56, 1 }",
  "{ 112, 179, 213, 126, 3, 0, 1, 2",
  "[31, 98, 30, 70, 68, 92, 75, 52]",
  "=A1",
];

test.for(NOT_DIGITS)("a cell that has no form of an EUI is unchanged: %s", (cell) => {
  expect(digitsOf(cell)).toBe(cell);
});

test("a damaged cell is shown without what nobody sees", () => {
  expect(digitsOf(" \u200B70B3D57ED00527O8\u00AD ")).toBe("70B3D57ED00527O8");
  expect(["", "\u200B", "0x00:04-a3.0b", "00 04_A3"].map(digitsOf)).toEqual([
    "",
    "",
    "0004a30b",
    "0004A3",
  ]);
});
