import { readFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { root } from "../../../../tools/packages.ts";
import { COLUMNS, places, REASONS, rules } from "./proofs.ts";
import { type FieldNotes, idOf, isSentence, type SpecRow, specNames } from "./read-spec.ts";

// Every sentence and table row of the contract has the place of its proof, which exists.

const read = (path: string) => JSON.parse(readFileSync(join(root, path), "utf8")) as unknown;
const statements = read("tools/testing/spec-names.json") as readonly SpecRow[];
const notesOf = (sections: FieldNotes) => Object.values(sections).flatMap(Object.entries<string>);
const notes = new Map(notesOf(read("tools/testing/field-notes.json") as FieldNotes));

interface Rule {
  readonly begin: string;
  readonly cells: readonly string[];
}

const table: readonly Rule[] = rules
  .trim()
  .split("\n")
  .map((line) => line.split("|").map((cell) => cell.trim()))
  .flatMap(([begins = "", ...cells]) => {
    const [, section = "", names = ""] = /^([^/]+\/[^/]*\/?)(.*)$/.exec(begins) ?? [];
    return names.split(" & ").map((name) => ({ begin: section + name, cells }));
  });

/** Returns the place of each column, or the reason for all of them. */
function proofsOf(statement: SpecRow): readonly string[] {
  const id = idOf(statement);
  const own = table
    .filter(({ begin }) => isAbout(begin, id) && !(isSentence(statement) && begin.endsWith("/")))
    .map(({ cells }) => cells);
  if (statement.silent) return ["silent"];
  return own.reduce<readonly string[]>(
    (earlier, cells) =>
      cells.length === 1
        ? cells
        : cells.map((cell, at) => (cell === "=" ? (earlier[at] ?? "") : cell)),
    [],
  );
}

/** An ellipsis stands for any part of the name of a section. */
function isAbout(begin: string, id: string): boolean {
  const [before = "", after] = begin.split("…");
  return id.startsWith(before) && (after === undefined || id.includes(after));
}

const proofs = new Map(statements.map((statement) => [idOf(statement), proofsOf(statement)]));
/** Tables of statements, which the table of proofs names by a word. */
const TABLES: Readonly<Record<string, string>> = {
  ...Object.fromEntries(
    ["console", "ledger", "mapper", "mobile"].map((name) => [
      name,
      `sandbox/test/spec/statements/${name}.ts`,
    ]),
  ),
  said: "webhook-types/test/statements.test.ts",
};

/** Returns the file of a place, and the part of a title. */
function placeOf(cell: string): readonly [file: string, title: string] {
  const [, file = "", title = ""] = /^([^:]+): (.*)$/.exec(places[cell] ?? cell) ?? [];
  return [TABLES[file] ?? file, title];
}

const titles = new Map<string, readonly string[]>();

/** Returns each string that a test file passes first to a function: the titles of its tests. Of a page, it returns all of it. */
function titlesOf(file: string): readonly string[] {
  const known = titles.get(file);
  if (known !== undefined) return known;
  const path = join(root, /^(?:docs|tools)\//.test(file) ? "" : "packages", file);
  const source = readFileSync(path, "utf8");
  const found = file.endsWith(".md")
    ? [source.replaceAll(/\s+/g, " ")]
    : [...source.matchAll(/(?:\(|\bsays:)\s*(["'`])((?:\\.|(?!\1)[^\\])*)\1/gs)].map(
        ([, , title = ""]) => title,
      );
  titles.set(file, found);
  return found;
}

test("every sentence and table row of the contract has one id, and a proof or a reason", () => {
  expect(proofs.size).toBe(statements.length);
  const missing = [...proofs].filter(([, cells]) =>
    cells.length === 1
      ? !((cells[0] ?? "") in REASONS) || cells[0] === "-"
      : cells.length !== COLUMNS.length ||
        cells.includes("") ||
        cells.every((cell) => cell === "-"),
  );
  expect(missing).toEqual([]);
});

test("every proof names a test that exists", () => {
  const cells = new Set([...proofs.values()].flat().filter((cell) => !(cell in REASONS)));
  const wrong = [...cells].filter((cell) => {
    const [file, title] = placeOf(cell);
    return file === "" || title === "" || !titlesOf(file).some((each) => each.includes(title));
  });
  expect(wrong).toEqual([]);
  expect(Object.keys(places).filter((name) => !cells.has(name))).toEqual([]);
});

test("every line of the table is about a statement", () => {
  const ids = [...proofs.keys()];
  const unused = table.filter(({ begin }) => !ids.some((id) => isAbout(begin, id)));
  expect(unused.map(({ begin }) => begin)).toEqual([]);
});

test("the statements are those of the contract, if it is beside the checkout", ({ skip }) => {
  const files = specNames();
  skip(files.size === 0, "The contract is not beside this checkout.");
  const [now = [], found = {}] = [...files.values()].map((json) => JSON.parse(json) as never);
  const hashes = (list: readonly SpecRow[]) => list.map((row) => `${idOf(row)}: ${row.hash}`);
  expect(hashes(now), "npm run generate -- spec").toEqual(hashes(statements));
  expect(notesOf(found)).toEqual([...notes]);
});

test("prints its counts", () => {
  const all = [...proofs.values()];
  const rows = all.filter((cells) => cells.length > 1);
  const proved = COLUMNS.map(
    (column, at) => `${column} ${rows.filter((cells) => cells[at] !== "-").length}`,
  );
  const reasons = Object.keys(REASONS)
    .filter((reason) => reason !== "-")
    .map((reason) => `${reason} ${all.filter(([only]) => only === reason).length}`);
  const sentences = statements.filter(isSentence).length;
  const line = `${statements.length} statements (${sentences} sentences, ${statements.length - sentences} rows). Proved: ${proved.join(", ")}. Without a proof: ${reasons.join(", ")}.`;
  process.stdout.write(`${line}\n`);
  expect(rows.length + all.filter(({ length }) => length === 1).length).toBe(statements.length);
});
