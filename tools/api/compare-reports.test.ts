import { expect, test } from "vitest";
import { compareReports } from "./compare-reports.ts";
import { shareDeclarations } from "./share-declarations.ts";

const FENCE = "```";
const report = (...declarations: string[]): string =>
  [
    "## API Report File\n",
    `${FENCE}ts\n`,
    ...declarations.map(
      (each) => (each.startsWith("export {") ? each : `// @public\n${each}`) + "\n",
    ),
    FENCE,
  ].join("\n");
const own = "export function sign(body: string): string;";

test.each([
  ["export const secretFields: Fields;", "secretFields"],
  ["export function createReceiver<T>(options: T): Receiver;", "createReceiver"],
  ["export class CallError extends FieldmeshError {\n}", "CallError"],
  ["export interface Label extends z.output<typeof fields> {\n}", "Label"],
  ["export type Labels = typeof labels;", "Labels"],
])("an export is named if it is added or removed: %s", (declaration, name) => {
  expect(compareReports(report(own), report(declaration, own))).toBe(`added ${name}`);
  expect(compareReports(report(own, declaration), report(own))).toBe(`removed ${name}`);
});

test("an export under another name has the name that users import", () => {
  const renamed = report(own, "export { Location_2 as Location }", "export { array }");
  expect(compareReports(report(own), renamed)).toBe("added Location, array");
});

test("an overload and a new type change an export", () => {
  const overload = "export function sign(body: Uint8Array): string;";
  expect(compareReports(report(own), report(own, overload))).toBe("changed sign");
  expect(compareReports(report(own), report(overload))).toBe("changed sign");
  expect(compareReports(report(own, overload), report(own, overload))).toBe("");
});

test("a declaration of two entries is written out once, and the second report names the first", () => {
  const reports = shareDeclarations([
    ["http", report(own, "export type Key = string;")],
    ["ledger-client", report("export type Block = number;", own, "export type Key = string;")],
  ]);
  const [http = "", ledger = ""] = reports.values();
  expect(http).toContain(own);
  expect(ledger).not.toContain(own);
  expect(ledger).toContain("// As in http: sign Key\n");
  expect(compareReports(http, ledger)).toBe("added Block; changed sign, Key");
});

test("a change of what two entries of a package export is named", () => {
  const text = (type: string) =>
    [
      ...shareDeclarations([
        ["sandbox", report(`export type Key = ${type};`)],
        ["sandbox.server", report(`export type Key = ${type};`)],
      ]).values(),
    ].join("\n");
  expect(compareReports(text("string"), text("number"))).toBe("changed Key");
});

test("a record of several members is written out in the first one, and a difference in it is seen", () => {
  const four = ["a", "b", "c", "d"].map((name) => `        ${name}: string;`).join("\n");
  const rows = (last: string) =>
    report(
      `export const rows: {\n    list: Row<{\n${four}\n    }[]>;\n    get: Row<{\n${last}\n    }>;\n};`,
    );
  const written = (last: string) => shareDeclarations([["x", rows(last)]]).get("x") ?? "";
  expect(written(four)).toContain(`list: Row<{\n${four}\n    }[]>;`);
  expect(written(four)).toContain("get: Row<{ /* as in rows.list */ }>;");
  expect(compareReports(written(four), written(`${four}\n        e: string;`))).toBe(
    "changed rows",
  );
});
