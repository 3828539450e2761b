/** A field, and a value that the contract states for it. */
export type StatedValue = readonly [field: string, value: string];

/** The name of a field, or of a value. */
const NAME = "[a-z][A-Za-z0-9_]*";

/** Returns the error statuses of a route: "404 if none", "400 with text Invalid Fields". */
export function statusesIn(text: string): number[] {
  return [...text.matchAll(/\b([45]\d\d)\b(?= (?:if|with) )/g)].map(([status]) => Number(status));
}

/** What a sentence about errors calls two lists of the ledger. */
const LISTS: Readonly<Record<string, string>> = {
  "account list": "GET /v1/accounts",
  "account hotspots list": "GET /v1/accounts/:address/hotspots",
};

/** Reads "A cursor-based request to the account list or the account hotspots list answers 400". */
export function listErrors(line: string): { subject: string; statuses: number[] }[] {
  const [, lists = "", status] = /request to (.*?) answers (\d{3})\b/.exec(line) ?? [];
  return Object.entries(LISTS)
    .filter(([name]) => lists.includes(`the ${name}`))
    .map(([, subject]) => ({ subject, statuses: [Number(status)] }));
}

/** Returns what a row states of the form of a value: "hexadecimal", "base58", "UUID", "at most 1000". */
export function formsIn(text: string): string[] {
  const words = text.match(/\b(?:hexadecimal|base58|UUID)\b/g) ?? [];
  const most = [...text.matchAll(/\b(?:up to|max) ([\d,]+)/g)].map(
    ([, digits = ""]) => `at most ${digits.replaceAll(",", "")}`,
  );
  return [...new Set([...words, ...most])];
}

const SEPARATOR = /, or | or | and |, /;
const VALUES = `(${NAME}(?:(?:, or | or | and |, (?!and ))${NAME})*)`;
const PATTERNS = [
  // "status (value verified)", "status (string; value seen: success)", "locked_status (values user_initiated_lock, unlocked)"
  new RegExp(`(${NAME}) \\((?:string; )?values?(?: seen:)? ${VALUES}`, "g"),
  // "bucket (optional string: hour, day or week)"
  new RegExp(`(${NAME}) \\(optional string: ${VALUES}`, "g"),
  // "reason is requested, scheduled, port_out, or null", "data.state is deactivated or provisioned"
  new RegExp(`\\b(reason|state|${NAME}_status) is ${VALUES}`, "g"),
  // "balance.credited with kind referral"
  new RegExp(`with (kind) (${NAME})`, "g"),
  // "status = active"
  new RegExp(`^(${NAME}) = (${NAME})$`, "g"),
  // "video quality changes because …; lowered to 480p"
  /video (quality) changes .*? lowered to (\w+)/g,
  // "pii_redacted (true)"
  /(\w+_\w+) \(?(true)\b/g,
];

/** Returns the values that a text states. */
export function valuesIn(text: string): StatedValue[] {
  const found = PATTERNS.flatMap((pattern) => [...text.matchAll(pattern)]);
  return found.flatMap(([, field = "", values = ""]) => valuesOf(field, values));
}

/** Returns the values that a row states by its columns. */
export function valuesByHeader(header: readonly string[], cells: readonly string[]): StatedValue[] {
  const [first = ""] = cells;
  return cells.flatMap((cell, index) => {
    const column = header[index] ?? "";
    // "| category | string | value seen: uplink |"
    const [, seen] = /^values? seen: (.*)$/.exec(cell) ?? [];
    if (seen !== undefined) return valuesOf(first, seen);
    // "| prebuilt | one of four partner values: partner1, … |", "| custom HTTP | http |"
    if (column === "type value") return valuesOf("type", cell.replace(/^.*: /, ""));
    // "| subscription (status values named) | active, paused, … |"
    const [, named] = /\((\w+) values named\)$/.exec(first) ?? [];
    if (named !== undefined && column === "Fields") return valuesOf(named, cell);
    // "| sim, any | sim.suspended | | suspended |"
    if (column === "Next state" && /^\w+$/.test(cell))
      return valuesOf(first.startsWith("sim") ? "state" : "status", cell);
    return [];
  });
}

function valuesOf(field: string, values: string): StatedValue[] {
  return values
    .split(SEPARATOR)
    .filter((value) => value !== "null")
    .map((value) => [field, value]);
}
