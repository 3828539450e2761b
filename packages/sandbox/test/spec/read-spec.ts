import { createHash } from "node:crypto";
import { existsSync, readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { root } from "../../../../tools/packages.ts";
import { fieldOf, fieldsIn, isListType, type StatedField } from "./read-fields.ts";
import {
  formsIn,
  listErrors,
  statusesIn,
  type StatedValue,
  valuesByHeader,
  valuesIn,
} from "./read-stated.ts";

/** The documents of the contract, and the services that each one covers. */
export const DOCUMENTS = ["console-and-mapper.md", "ledger.md", "mobile-events.md"] as const;

/** A statement of the contract: a row of a table, or a sentence. Its text is not here, only its hash. */
export interface SpecRow extends Omit<StatedField, "name"> {
  readonly document: string;
  /** The headings above it, such as "Endpoints > Accounts". */
  readonly section: string;
  /** The route, event type, field or value of the row as the contract writes it, or the first words of a sentence. */
  readonly subject: string;
  /** What tells the row from others of its section, if its subject does not. */
  readonly key?: string;
  /** A short hash of the text, by which a changed one is found. */
  readonly hash: string;
  /** It says that the contract does not show something. */
  readonly silent?: true;
  /** Routes, parameters, fields and event types that it names. */
  readonly names: readonly string[];
  /** The fields that it lists, beside the field that is its subject. */
  readonly fields?: readonly StatedField[];
  /** The error statuses that it states for its route. */
  readonly statuses?: readonly number[];
  /** The values that it states for a field: `["status", "active"]`. */
  readonly values?: readonly StatedValue[];
  /** What it states of the form of its subject or its names: "UUID", "at most 1000". */
  readonly forms?: readonly string[];
}

type Read = Omit<SpecRow, "document" | "section" | "hash">;

/** Reads every row of every table of a document, and every sentence. */
function readSpec(document: string, markdown: string): SpecRow[] {
  const rows: SpecRow[] = [];
  const headings: string[] = [];
  let header: string[] | undefined;
  const add = (text: string, read: Read): void => {
    const { subject, ...rest } = read;
    rows.push({ document, section: headings.join(" > "), subject, hash: hashOf(text), ...rest });
  };
  for (const line of markdown.split("\n")) {
    const heading = /^(#{2,})\s+(.*)$/.exec(line);
    if (heading) {
      headings.splice((heading[1] ?? "").length - 2, Infinity, heading[2] ?? "");
      header = undefined;
    } else if (!line.startsWith("|")) {
      header = undefined;
      for (const sentence of sentencesOf(line)) add(sentence, readSentence(sentence));
    } else if (header === undefined) {
      header = cellsOf(line);
    } else if (!/^[|\-\s:]+$/.test(line)) {
      add(line, readRow(header, cellsOf(line)));
    }
  }
  return rows.map((row) => withOthers(row, rows, markdown));
}

function hashOf(text: string): string {
  return createHash("sha256").update(text).digest("hex").slice(0, HASH_DIGITS);
}

const HASH_DIGITS = 8;

/** Returns what stays the same as long as the place and the subject do: "console/Flow/label_id". */
export function idOf({ document, section, subject, key }: SpecRow): string {
  const [service] = document.split(/[-.]/);
  return [service, section.split(" > ").at(-1), key ?? subject].join("/");
}

/** Tells whether a statement is a sentence, and no row of a table. */
export function isSentence({ subject }: Pick<SpecRow, "subject">): boolean {
  return subject.endsWith(CONTINUED);
}

const CONTINUED = " …";

/** Splits a paragraph, or an item of a list, into sentences. A word alone is none. */
function sentencesOf(line: string): string[] {
  return line
    .replace(/^(?:\d+\.|-) /, "")
    .split(/(?<=\.) (?=\w|\{)/)
    .map((sentence) => sentence.trim())
    .filter((sentence) => sentence.includes(" ") && !sentence.startsWith("# "));
}

function readSentence(sentence: string): Read {
  const fields = fieldsIn(sentence);
  const subject = beginOf(sentence);
  const names = [...new Set([...fields.map(({ name }) => name), ...namesIn(sentence)])].sort();
  const values = valuesIn(sentence);
  const isSilent = /\bnot shown\b/.test(sentence);
  return { subject, ...(isSilent && { silent: true }), names, ...present({ fields, values }) };
}

function beginOf(sentence: string): string {
  return `${sentence.split(/\s+/).slice(0, FIRST_WORDS).join(" ")}${CONTINUED}`;
}

const FIRST_WORDS = 6;

/** Adds what sentences state of rows: "All four are required", "A request to the account list answers 400". */
function withOthers(row: SpecRow, rows: readonly SpecRow[], markdown: string): SpecRow {
  const isRequired = rows.some(
    ({ section, subject }) => section === row.section && /^All \w+ are required\b/.test(subject),
  );
  const errors = listErrors(markdown).filter(({ subject }) => subject === row.subject);
  return {
    ...row,
    ...(isRequired && row.type !== undefined && { presence: "required" }),
    ...(errors.length > 0 && { statuses: errors.flatMap(({ statuses }) => statuses) }),
  };
}

/** Returns the folder next to the checkout that contains the contract, or `undefined` if there is none. */
function findSpec(): string | undefined {
  const parent = join(root, "..");
  return readdirSync(parent)
    .map((name) => join(parent, name, "spec"))
    .find((folder) => existsSync(join(folder, DOCUMENTS[0])));
}

/** The notes on what running deployments do, which lie beside the contract: the first words of each, and its hash. */
export type FieldNotes = Readonly<Record<string, Readonly<Record<string, string>>>>;

/** Reads the field notes: the items of the list of each section. */
function readNotes(folder: string): [section: string, notes: string[]][] {
  const [, ...sections] = readFileSync(join(folder, "..", "field-notes.md"), "utf8").split("\n## ");
  return sections.map((text) => {
    const [section = "", ...notes] = text.trim().split(/\n(?:\n?- )/);
    return [section, notes];
  });
}

/** Returns the field notes, or nothing if they are not beside the checkout. */
export function readNoteTexts(): string[] {
  const folder = findSpec();
  return folder === undefined ? [] : readNotes(folder).flatMap(([, notes]) => notes);
}

/** Makes the checked-in lists of the statements of the contract and of the field notes, or nothing if they are not beside the checkout. */
export function specNames(): Map<string, string> {
  const folder = findSpec();
  if (folder === undefined) return new Map();
  const rows = readSpecFolder(folder).map((row) => `  ${JSON.stringify(row)}`);
  const notes = readNotes(folder).map(([key, texts]) => {
    const list = texts.map((text) => [beginOf(text), hashOf(text)] as const);
    return `  ${JSON.stringify(key)}: ${JSON.stringify(Object.fromEntries(list))}`;
  });
  return new Map([
    ["tools/testing/spec-names.json", `[\n${rows.join(",\n")}\n]\n`],
    ["tools/testing/field-notes.json", `{\n${notes.join(",\n")}\n}\n`],
  ]);
}

/** Reads the contract from its folder. */
function readSpecFolder(folder: string): SpecRow[] {
  return DOCUMENTS.flatMap((name) => readSpec(name, readFileSync(join(folder, name), "utf8")));
}

function readRow(header: readonly string[], cells: readonly string[]): Read {
  const route = routeOf(header, cells);
  const subject = route ?? cells[0] ?? "";
  const isOfValues = subject.endsWith("values named)");
  const lists = cells.filter((cell, at) => {
    const column = header[at] ?? "";
    const isSkipped = at === 0 || NO_FIELDS.has(column) || (isOfValues && column === "Fields");
    return !isSkipped && (column !== "Type" || isListType(cell)) && !/^values? seen/.test(cell);
  });
  const fields = lists.flatMap((cell) => fieldsIn(cell, true));
  const values = [...cells.flatMap(valuesIn), ...valuesByHeader(header, cells)];
  const names = [
    ...fields.map(({ name }) => name),
    ...(isOfValues ? values.map(([, value]) => value) : []),
    ...cells.flatMap(namesIn),
  ];
  const key = header[0] === "#" ? cells[0] : header[0] === "State" ? `${subject}: ${cells[1]}` : "";
  return {
    subject,
    ...(key !== "" && { key }),
    ...fieldOf(header, cells),
    names: [...new Set(names)].filter((name) => name !== subject).sort(),
    ...present({
      fields,
      statuses: route === undefined ? [] : statusesIn(cells.join(" ")),
      values,
      forms: formsIn(cells.join(" ")),
    }),
  };
}

/** Columns whose lists are not of fields. */
const NO_FIELDS: ReadonlySet<string> = new Set(["Where", "type value"]);

type Stated = Pick<SpecRow, "fields" | "statuses" | "values" | "forms">;

/** Leaves out what a row does not state. */
function present(stated: Stated): Stated {
  return Object.fromEntries(Object.entries(stated).filter(([, list]) => list.length > 0));
}

/** Returns a route such as "GET /v1/blocks" from a table with columns for method and path, or only for the path if all are GET. */
function routeOf(header: readonly string[], cells: readonly string[]): string | undefined {
  const at = header.indexOf("Path");
  const path = cells[at]?.replace(/^\{\w+\}/, "").replace(/ \(deprecated\)$/, "");
  if (path === undefined) return undefined;
  return `${cells[header.indexOf("Method")] ?? "GET"} ${path}`;
}

/** Matches a name that cannot be an ordinary word, because it has an underscore or dots between its parts. */
const COMPOUND = /\b[a-z_]+(?:\.[a-z_]+)+\b|\b[a-z][a-zA-Z0-9]*(?:_[A-Za-z0-9]+)+\b/g;

function namesIn(text: string): string[] {
  return [...text.matchAll(COMPOUND)].map(([name]) => name);
}

function cellsOf(line: string): string[] {
  return line
    .split("|")
    .slice(1, -1)
    .map((cell) => cell.trim());
}
