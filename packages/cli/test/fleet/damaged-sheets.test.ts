// No damage that a reader of a sheet could see is created silently.
import { writeFileSync } from "node:fs";
import { expect, test } from "vitest";
import { createRandom } from "../../../sandbox/src/engine/random.ts";
import { run } from "../../src/fleet/import-devices.ts";
import { runCommand, testContext } from "../context.ts";
import { damage } from "./damages.ts";
import { emptyConsole, folder, held } from "./fleet-context.ts";
import { areRounded, bytesOf, FIELDS, goodSheet } from "./good-sheets.ts";
import type { Device, Field, Sheet } from "./good-sheets.ts";

test("no damage that a reader of a sheet could see is created silently", async () => {
  const sheets = expect.getState().testPath?.includes(".slow.") ? 1_000 : 40;
  const unseen = new Map<string, number>();
  for (let seed = 1; seed <= sheets; seed++)
    for (const each of await tryDamage(seed)) unseen.set(each, (unseen.get(each) ?? 0) + 1);
  const counts = [...unseen.keys()].toSorted().map((each) => `${unseen.get(each)} ${each}`);
  // oxlint-disable-next-line no-console -- figures
  console.log(`Values that nobody could see to be damaged:\n${counts.join("\n")}`);
});

/** Tries one sheet, undamaged and damaged. Returns what was created silently, because no reader could see it. */
async function tryDamage(seed: number): Promise<readonly string[]> {
  const random = createRandom(seed, "damaged sheets");
  const sheet = goodSheet(random);
  const good = await importSheet(bytesOf(sheet));
  const textOf = (bytes: Buffer) => new TextDecoder(sheet.encoding).decode(bytes);
  const undamaged = `seed ${seed}, undamaged:\n${textOf(bytesOf(sheet))}`;
  const wanted = { created: sheet.devices, error: undefined, lines: [] };
  expect({ undamaged, ...good }).toMatchObject({ undamaged, ...wanted });

  const { kind, bytes } = damage(sheet, random);
  const outcome = await importSheet(bytes);
  const findings = silentDamage(sheet, textOf(bytes), outcome);
  const seen = findings.filter(({ sign }) => sign !== undefined);
  const end = outcome.error?.message ?? "exit code 0";
  const about = [`seed ${seed}, ${kind}:`, ...outcome.printed, end, textOf(bytes)].join("\n");
  expect({ about, seen }).toEqual({ about, seen: [] });
  return findings.map(({ what }) => `${kind}: ${what}`);
}

interface Outcome {
  readonly created: readonly Device[];
  /** The lines that problems name. */
  readonly lines: readonly number[];
  /** How many more have one: "lines 4, 5 and 2 more". */
  readonly more: number;
  readonly printed: readonly string[];
  readonly error: Error | undefined;
}

async function importSheet(bytes: Buffer): Promise<Outcome> {
  const sandbox = emptyConsole();
  const file = folder().at("sheet.csv");
  writeFileSync(file, bytes);
  const context = testContext({ sandbox, yes: true });
  const error = await runCommand(run, context, {}, file).then(
    () => undefined,
    (thrown: Error) => thrown,
  );
  const lines: number[] = [];
  let more = 0;
  const problems = context.stderr.filter((line) => !line.startsWith("The header is")).join("\n");
  for (const [, list = "", rest] of problems.matchAll(
    /\blines? (\d+(?:(?:, | and )\d+)*)( more)?/g,
  )) {
    lines.push(...list.match(/\d+/g)!.map(Number));
    if (rest !== undefined) more += lines.pop()!;
  }
  const created = held(sandbox).map(({ name, dev_eui, app_eui, app_key }) => {
    return { name, dev_eui, app_eui, app_key };
  });
  return { created, lines, more, printed: context.stderr, error };
}

interface Finding {
  readonly what: string;
  /** How a reader can see it. */
  readonly sign: string | undefined;
}

/** Returns what was created in another way than it was meant, or not at all and without a problem. */
function silentDamage(sheet: Sheet, text: string, outcome: Outcome): readonly Finding[] {
  const key = (device: Device) => FIELDS.map((field) => device[field]).join(" ");
  const left = new Map(sheet.devices.map((device) => [key(device), device]));
  const wrong = outcome.created.filter((device) => !left.delete(key(device)));
  const view = viewOf(sheet, text);
  const findings: Finding[] = wrong.flatMap((device): Finding[] => {
    const alike = (meant: Device) => FIELDS.filter((each) => meant[each] === device[each]).length;
    const [meant] = [...left.values()].toSorted((one, two) => alike(two) - alike(one));
    if (meant === undefined)
      return [{ what: "a device", sign: `there is no row of ${key(device)}` }];
    left.delete(key(meant));
    return FIELDS.filter((field) => meant[field] !== device[field]).map((what) => {
      return { what, sign: signOf(what, device, view) };
    });
  });

  // The file is rejected as a whole.
  if (outcome.created.length === 0 && outcome.error !== undefined) return findings;
  const lines = outcome.error === undefined ? [] : outcome.lines;
  const count = (each: string) => each.split(sheet.eol).length;
  // A line break that was lost or inserted moves the rows below it.
  const moved = count(text) === sheet.lead.length + sheet.grid.length + 1 ? 0 : 1;
  const unnamed = [...left.values()].flatMap((device): Finding[] => {
    const line = sheet.lead.length + 2 + sheet.devices.indexOf(device);
    if (lines.some((each) => Math.abs(each - line) <= moved)) return [];
    return [{ what: "a row", sign: line > count(text.trimEnd()) ? undefined : `line ${line}` }];
  });
  return [...findings, ...(unnamed.length > outcome.more ? unnamed : [])];
}

/** A column as a reader sees it: the digits of what is written well, and an empty string for the rest. */
type View = (field: Field) => readonly string[];

function viewOf({ delimiter, columns, lead }: Sheet, text: string): View {
  const cells = new RegExp(`("(?:[^"]|"")*"|[^${delimiter}]*)(?:[${delimiter}]|$)`, "g");
  const rows = text.split(/\r?\n/).slice(lead.length + 1);
  return (field) =>
    rows.map((row) => {
      const written = [...row.matchAll(cells)][columns[field]]?.[1] ?? "";
      const cell = /^".*"$/.test(written) ? written.slice(1, -1).replaceAll('""', '"') : written;
      return digitsOf(cell) || (field === "name" ? cell : "");
    });
}

function digitsOf(cell: string): string {
  const bare = cell.trim().replace(/^="(.*)"$|^(?:'|0x|eui-)/, "$1");
  const well = /^(?:[\da-f]+|(?:[\da-f]{2}[-: ]?)+|(?:[\da-f]{4}-?)+)$/i.test(bare);
  return well ? bare.replaceAll(/[-: ]/g, "").toUpperCase() : "";
}

/**
 * Returns how a reader of the sheet can see that the value of a device is damaged. These cannot be seen: another hexadecimal digit,
 * whole values that are in the row of another device, a key that several devices share or keys that count up (vendors deliver both),
 * and names, which may be anything but what a program writes for a value that it has lost.
 */
function signOf(field: Field, device: Device, view: View): string | undefined {
  const value = device[field];
  if (field === "name") {
    if (/^#|^NaN$|^null$|^undefined$|\uFFFD/.test(value)) return "an error";
    if (/^\d(?:[.,]\d+)?E\+\d+$/.test(value)) return "an exponent";
    if (/^\d{12,}[.,]0+$/.test(value)) return "a float";
    if (/^\d{1,3}(?:[.,'\s]\d{3}){4,}$/.test(value)) return "separators";
    // A name with few digits and many zeros may be meant.
    return !/^\d{1,4}0+$/.test(value) && areRounded([value]) && areRounded(view("name"))
      ? "rounded"
      : undefined;
  }
  if (value.length !== (field === "app_key" ? 32 : 16)) return "another number of digits";
  if (!view(field).includes(value)) return "not written like this";
  if (field === "app_key") return /^\d+0{9}$/.test(value) ? "rounded" : undefined;
  if (areRounded([value]) && areRounded(view(field))) return "rounded";

  const { dev_eui, app_eui } = device;
  const [app_euis, names] = [view("app_eui"), view("name")];
  const all = view("dev_eui")
    .map((each, row) => ({ dev_eui: each, app_eui: app_euis[row]!, name: names[row]! }))
    .filter((each) => each.dev_eui !== "" && each.app_eui !== "");
  const at = all.findIndex((each) => each.dev_eui === dev_eui && each.app_eui === app_eui);
  const others = all.toSpliced(at, 1);
  const most = (is: (each: (typeof others)[number]) => boolean) =>
    others.filter(is).length > others.length / 2;

  if (isReversed(value)) return "reversed";
  const beginnings = new Set(all.map((each) => each[field].slice(0, 6)));
  if (beginnings.size === all.length && most((each) => each[field].endsWith(value.slice(-6))))
    return "reversed, of an unknown vendor";
  if (field === "dev_eui" && others.some((each) => each.dev_eui === dev_eui))
    return "in several rows";
  if (dev_eui !== app_eui && others.some((each) => each.app_eui === dev_eui))
    return "of the other column";
  if (
    most((each) => each.dev_eui === each.app_eui) &&
    others.some((each) => each.dev_eui === app_eui)
  )
    return "of another row";
  // The cells of the row begin as most of other columns do.
  const begins = (eui: string, column: "app_eui" | "dev_eui" | "name") =>
    most((each) => each[column].startsWith(eui.slice(0, 6)));
  if (KNOWN.test(digitsOf(device.name)) && !KNOWN.test(dev_eui)) return "of the column of names";
  const foreign = begins(dev_eui, "app_eui") || begins(dev_eui, "name");
  const own = begins(app_eui, "dev_eui") || begins(digitsOf(device.name), "dev_eui");
  return foreign && own && !begins(dev_eui, "dev_eui") ? "exchanged" : undefined;
}

/** EUIs of vendors that a reader knows. */
const KNOWN = /^(?:A84041|24E124|70B3D5|0004A3|0018B2|647FDA|AC1F09|A81758)[\dA-F]{10}$/;

function isReversed(eui: string): boolean {
  return !KNOWN.test(eui) && KNOWN.test(eui.match(/../g)!.toReversed().join(""));
}
