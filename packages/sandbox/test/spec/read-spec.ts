import { existsSync, readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import {
  formsIn,
  listErrors,
  NAME,
  requiredIn,
  statusesIn,
  type StatedValue,
  valuesByHeader,
  valuesIn,
} from "./read-stated.ts";

/** The documents of the contract, and the services that each one covers. */
export const DOCUMENTS = ["console-and-mapper.md", "ledger.md", "mobile-events.md"] as const;

/** The names in one row of a table of the contract, or in one paragraph. */
export interface SpecRow {
  readonly document: string;
  /** The headings above the table, such as "Endpoints > Accounts". */
  readonly section: string;
  /** The route, event type, field or value of the row, as the contract writes it. */
  readonly subject: string;
  /** Routes, parameters, fields and event types that the row names. */
  readonly names: readonly string[];
  /** The error statuses that the row states for its route. */
  readonly statuses?: readonly number[];
  /** The values that the row states for a field: `["status", "active"]`. */
  readonly values?: readonly StatedValue[];
  /** What the row states of the form of its subject or its names: "UUID", "at most 1000". */
  readonly forms?: readonly string[];
  /** The fields of a request that the row requires. */
  readonly required?: readonly string[];
}

/** The subject of a paragraph, which names fields too. */
export const PROSE = "(paragraph)";

/** Reads every row of every table of a document, and every paragraph that names something. */
function readSpec(document: string, markdown: string): SpecRow[] {
  const rows: SpecRow[] = [];
  const headings: string[] = [];
  let header: string[] | undefined;
  for (const line of markdown.split("\n")) {
    const heading = /^(#{2,})\s+(.*)$/.exec(line);
    if (heading) {
      headings.splice((heading[1] ?? "").length - 2, Infinity, heading[2] ?? "");
      header = undefined;
    } else if (!line.startsWith("|")) {
      header = undefined;
      const section = headings.join(" > ");
      const names = [...new Set(namesIn(line))].sort();
      const values = valuesIn(line);
      if (names.length > 0 || values.length > 0)
        rows.push({ document, section, subject: PROSE, names, ...lists({ values }) });
      for (const { subject, statuses } of listErrors(line))
        rows.push({ document, section, subject, names: [], statuses });
    } else if (header === undefined) {
      header = cellsOf(line);
    } else if (!/^[|\-\s:]+$/.test(line)) {
      rows.push({ document, section: headings.join(" > "), ...readRow(header, cellsOf(line)) });
    }
  }
  return rows;
}

/** Returns the folder next to the checkout that contains the contract, or `undefined` if there is none. */
export function findSpec(root: string): string | undefined {
  const parent = join(root, "..");
  return readdirSync(parent)
    .map((name) => join(parent, name, "spec"))
    .find((folder) => existsSync(join(folder, DOCUMENTS[0])));
}

/** Reads the contract from its folder. */
export function readSpecFolder(folder: string): SpecRow[] {
  return DOCUMENTS.flatMap((name) => readSpec(name, readFileSync(join(folder, name), "utf8")));
}

function readRow(
  header: readonly string[],
  cells: readonly string[],
): Omit<SpecRow, "document" | "section"> {
  const route = routeOf(header, cells);
  const subject = route ?? cells[0] ?? "";
  const fields = cells[header.indexOf("Fields")]?.replaceAll(/\([^)]*\)/g, "").split(/,\s*/) ?? [];
  const names = [...fields.map((field) => field.trim()), ...cells.flatMap(namesIn)];
  return {
    subject,
    names: [...new Set(names)].filter((name) => name !== subject).sort(),
    ...lists({
      statuses: route === undefined ? [] : statusesIn(cells.join(" ")),
      values: [...cells.flatMap(valuesIn), ...valuesByHeader(header, cells)],
      forms: formsIn(cells.join(" ")),
      required: [...new Set(cells.flatMap(requiredIn))],
    }),
  };
}

type Stated = Pick<SpecRow, "statuses" | "values" | "forms" | "required">;

/** Leaves out what a row does not state. */
function lists(stated: Stated): Stated {
  return Object.fromEntries(Object.entries(stated).filter(([, list]) => list.length > 0));
}

/** Returns a route such as "GET /v1/blocks" from a table with columns for method and path, or only for the path if all are GET. */
function routeOf(header: readonly string[], cells: readonly string[]): string | undefined {
  const at = header.indexOf("Path");
  const path = cells[at]?.replace(/^\{\w+\}/, "").replace(/ \(deprecated\)$/, "");
  if (path === undefined) return undefined;
  return `${cells[header.indexOf("Method")] ?? "GET"} ${path}`;
}

const LISTS = [
  // "name, app_eui, app_key (required strings)", "endpoint (required string)", "method (optional map …)"
  new RegExp(`((?:${NAME}, )*${NAME}) \\((?:all )?(?:required|optional)`, "g"),
  // "label object (id, multi_buy, name)", "object: balance (integer), nonce (integer)" is read by the next one
  new RegExp(`objects? \\(((?:${NAME}(?: \\([^)]*\\))?, )*${NAME})\\)`, "g"),
  new RegExp(`object with ((?:${NAME}, )*${NAME}(?: and ${NAME})?)`, "g"),
  new RegExp(
    `(${NAME}) \\((?:integer|number|string|boolean|array|UUID|device UUID|map)[^)]*\\)`,
    "g",
  ),
];
/** Matches a name that cannot be an ordinary word, because it has an underscore or dots between its parts. */
const COMPOUND = /\b[a-z_]+(?:\.[a-z_]+)+\b|\b[a-z][a-zA-Z0-9]*(?:_[A-Za-z0-9]+)+\b/g;
/** Words that the contract uses for a type in the place of a field. */
const TYPE_WORDS = new Set(["string", "integer", "array", "object", "boolean", "key"]);

function namesIn(cell: string): string[] {
  const listed = LISTS.flatMap((list) =>
    [...cell.matchAll(list)].flatMap(([, names = ""]) => names.split(/, | and /)),
  );
  const compound = [...cell.matchAll(COMPOUND)].map(([name]) => name);
  const names = [...listed.map((name) => name.replace(/ \(.*$/, "")), ...compound];
  return names.filter((name) => !TYPE_WORDS.has(name));
}

function cellsOf(line: string): string[] {
  return line
    .split("|")
    .slice(1, -1)
    .map((cell) => cell.trim());
}
