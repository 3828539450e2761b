import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { stripVTControlCharacters } from "node:util";
import { beforeAll, expect, test } from "vitest";
import { IMPORT_COMMAND } from "../tour/map.ts";
import { type Ended, runExample } from "./run.ts";
import { startTour, TITLES } from "./start-tour.ts";

const folder = join(import.meta.dirname, "..");

let piped: Ended;
beforeAll(async () => {
  piped = await runExample("tour.ts");
}, 180_000);

function chapter(number: number): string {
  const { output } = piped;
  const end =
    TITLES[number] === undefined ? "That was the tour" : `${number + 1}. ${TITLES[number]}`;
  return output.slice(output.indexOf(`${number}. ${TITLES[number - 1]}`), output.indexOf(end));
}

test("piped, it ends well, prints plain lines, does not wait, and keeps every promise", () => {
  const { code, output } = piped;
  expect(code).toBe(0);
  // oxlint-disable-next-line no-control-regex -- an escape sequence is what is looked for
  expect(output).not.toMatch(/[\u001b\r]/);
  expect(output).not.toContain("Enter:");
  expect(output.match(/^✓ /gm)).toHaveLength(13);
  expect(output).toContain("All 13 checks passed.");
  // examples/test/printed-command.test.ts runs it.
  expect(output).toContain(`  ${IMPORT_COMMAND}\n`);
  expect(output).not.toContain("✗");
});

test("it shows no key, token or signing secret", () => {
  const { output } = piped;
  expect(output).not.toMatch(/t0ken|Bearer|whsec_|[sr]k_sandbox|5F1D3A7C|2B7E1516/);
  const inventory = readFileSync(join(folder, "data/inventory.csv"), "utf8");
  for (const key of inventory.matchAll(/\b[0-9A-F]{32}\b/gi)) expect(output).not.toContain(key[0]);
});

test("it begins with a map of its chapters", () => {
  const map = piped.output.slice(0, piped.output.indexOf("1. First call"));
  for (const [index, title] of TITLES.entries()) expect(map).toContain(`  ${index + 1}  ${title}`);
});

test("every line of code that it shows is in the file that its chapter names", () => {
  for (const number of TITLES.keys()) {
    const lines = chapter(number + 1).split("\n");
    const [, name = ""] = / {2}examples\/(tour\/\S+)$/.exec(lines[0]!)!;
    const source = [name, "tour/inventory.ts"].map((file) =>
      readFileSync(join(folder, file), "utf8"),
    );
    const shown = lines.filter((line) => line.startsWith("> ")).map((line) => line.slice(2));
    expect(shown).not.toEqual([]);
    for (const line of shown) expect(source.join("\n")).toContain(line);
  }
});

test("the import is killed at 40% and resumed, and explains each bad row", () => {
  const output = chapter(2);
  expect(output).toMatch(/ 40% {2}200 of 500 rows\n {2}SIGKILL/);
  expect(output).toContain("100%  500 of 500 rows");
  const lines = [...output.matchAll(/^ {2}lines ([\d, ]+): \S/gm)].flatMap(([, each]) =>
    each!.split(", "),
  );
  expect(lines).toHaveLength(35);
  expect(output).toContain("465 created + 35 explained; the console has 465, each once");
});

test("the receiver handles a duplicate once and the event of a crash again, and tolerates an unknown type", () => {
  const rows = chapter(6).match(/^ {2}(sim|drone)\..*$/gm)!;
  expect(rows.map((row) => row.trim().split(/ {2,}/))).toEqual([
    ["sim.activated", "first delivery", "200", "handled", "delivered"],
    ["sim.activated", "sent twice", "200", "handled", "delivered"],
    ["sim.activated", "sent twice", "200", "duplicate", "delivered"],
    ["sim.activated", "crash in the handler", "broken, 200", "handled", "delivered"],
    ["drone.landed", "newer than this version", "200", "handled", "delivered"],
  ]);
});

test("an uplink reaches the map, and a subscriber's event its handler", () => {
  const output = chapter(7);
  expect(output).toContain("altitude: rounded to whole meters");
  expect(output).toContain('{"latitude":47.3769,"longitude":8.5417,"altitude":409,"accuracy":4.5}');
  expect(output).toMatch(/height: \d{6}/);
  const [, id] = /^ {2}receiver: (sub_\w+) was created$/m.exec(output)!;
  expect(output).toContain(`id: '${id}'`);
  expect(output.match(/email: .*$/gm)).toEqual([
    expect.stringContaining("ada@example.com"),
    expect.stringContaining("null"),
  ]);
});

test("on a terminal of 60 columns no line is wider: code and tables break between words", async () => {
  const tour = startTour(60, "--fast", "6");
  expect(await tour.ended).toBe(0);
  // Three of its rows have two lines.
  for (const lines of [3, 5, 7, 9]) expect(tour.shown).toContain(`\u001B[${lines}A\u001B[J  `);
  const shown = stripVTControlCharacters(tour.shown).split(/[\r\n]+/);
  expect(shown.filter((line) => line.length > 60)).toEqual([]);
  expect(shown).toContain("  sim.activated crash in the broken,  handled   delivered");
  const lines = IMPORT_COMMAND.split(" import ").join(" import \\\r\n    ");
  expect(stripVTControlCharacters(tour.shown)).toContain(lines);
});

test("q ends the tour with its last screen", async () => {
  const tour = startTour(80);
  await tour.until("Enter: start");
  tour.type("\r");
  await tour.until("Enter: Import");
  tour.type("q");
  expect(await tour.ended).toBe(0);
  expect(tour.shown).not.toContain("2. Import  examples");
  expect(tour.shown).toContain("The check passed.");
});

test("Ctrl-C at a pause ends it with 130", async () => {
  const tour = startTour(80);
  await tour.until("Enter: start");
  tour.type("\u0003");
  expect(await tour.ended).toBe(130);
  expect(tour.shown).not.toContain("That was the tour");
});

test("with --fast and the numbers of chapters it shows these without a pause", async () => {
  const tour = startTour(80, "--fast", "1", "4");
  expect(await tour.ended).toBe(0);
  expect(tour.shown).not.toContain("Enter:");
  const headings = stripVTControlCharacters(tour.shown).match(/^\d\. \w+/gm);
  expect(headings).toEqual(["1. First", "4. Errors"]);
});

test("the chapters use published entry points only", () => {
  const files = ["tour.ts", ...readdirSync(join(folder, "tour")).map((name) => `tour/${name}`)];
  const imports = files.flatMap((file) =>
    [...readFileSync(join(folder, file), "utf8").matchAll(/from "([^"]+)"/g)].map(
      ([, name]) => name!,
    ),
  );
  for (const name of new Set(imports))
    expect(name).toMatch(/^(@fieldmesh\/|node:|csv-parse$|string-width$|\.{1,2}\/)/);
});
