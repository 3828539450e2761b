import type * as z from "@fieldmesh/core/internal/zod";
import { MAX_PROBLEMS, sayMore, type SchemaIssue } from "@fieldmesh/core/internal";
import { driftOf, isFieldName } from "@fieldmesh/core/internal/schema";

/** A field that breaks a rule. */
export interface Problem {
  /** The path, such as `devices[3].dev_eui`. Empty for the value itself. */
  readonly path: string;
  /** The rule, without the value. */
  readonly message: string;
}

const SHOWN_PROBLEMS = 5;

/** Lists problems for a message. A list of a thousand records often has the same problem a thousand times, so the first few are enough. */
export function sayProblems(problems: readonly Problem[]): string {
  const list = problems
    .slice(0, SHOWN_PROBLEMS)
    .map(({ path, message }) => (path === "" ? message : `${path}: ${message}`));
  if (problems.length > SHOWN_PROBLEMS) list.push(sayMore(problems, SHOWN_PROBLEMS));
  return list.join("; ");
}

/**
 * Options for every parse whose issues become problems. Shows only messages of our own schemas, because the messages of zod
 * depend on the locale that the application has set. With the input in an issue, a problem names its type, also if a codec has
 * moved the value.
 */
export const OWN_MESSAGES_ONLY: z.core.ParseContext<z.core.$ZodIssue> = {
  reportInput: true,
  error: () => "",
};

/**
 * Converts the issues of a schema to problems that name the field and the rule, and never the value.
 *
 * The messages of a user's schema are not shown, because they may quote the value.
 */
export function toProblems(
  issues: readonly SchemaIssue[],
  value: unknown,
  prefix: readonly PropertyKey[] = [],
  texts: "trusted" | "hidden" = "trusted",
): Problem[] {
  return issues.flatMap((issue) => {
    const path = (issue.path ?? []).map((part) => (typeof part === "object" ? part.key : part));
    const whole = [...prefix, ...path];
    const found = "input" in issue ? issue.input : at(value, path);
    const best = bestMember(issue, found);
    if (best !== undefined) return toProblems(best, found, whole, texts);
    return [{ path: formatPath(whole), message: sayRule(issue, found, texts) }];
  });
}

/** Writes a path as in code: `devices[3].dev_eui`. Hides a name that does not look like a field, because the names in a map may be keys. */
function formatPath(path: readonly PropertyKey[]): string {
  return path.reduce<string>((text, part) => {
    if (typeof part === "number" || /^\d{1,6}$/.test(String(part)))
      return `${text}[${String(part)}]`;
    const key = isFieldName(String(part)) ? String(part) : "[…]";
    return text === "" ? key : `${text}.${key}`;
  }, "");
}

/**
 * Returns the issues of the member of a union that was most likely meant. Every member reports issues. The meant one is that
 * whose fixed values fit, such as the field `type` that distinguishes the members; among several, the one with the fewest
 * problems.
 */
function bestMember(issue: SchemaIssue, value: unknown): readonly SchemaIssue[] | undefined {
  const { code, errors } = issue as Partial<z.core.$ZodIssueInvalidUnion>;
  if (code !== "invalid_union" || errors === undefined) return undefined;
  if (typeof value !== "object" || value === null) return undefined;
  const misfits = (issues: readonly z.core.$ZodIssue[]): number =>
    issues.filter(
      (each) =>
        each.path.length < 2 &&
        (each.code === "invalid_value" || (each.code === "custom" && driftOf(each) === undefined)),
    ).length;
  return [...errors].sort((a, b) => misfits(a) - misfits(b) || a.length - b.length)[0];
}

function sayRule(issue: SchemaIssue, value: unknown, texts: "trusted" | "hidden"): string {
  const zod = issue as Partial<z.core.$ZodIssue> & SchemaIssue;
  if (value === undefined && /^invalid_(type|union|value)$/.test(zod.code ?? ""))
    return "is missing";
  switch (zod.code) {
    case "invalid_type":
      return `expected ${zod.expected}, got ${typeName(value)}`;
    case "invalid_union":
      return `fits none of the allowed forms, got ${typeName(value)}`;
    case "invalid_value":
      return zod.values === undefined
        ? MISFIT
        : `expected one of ${zod.values.map(String).join(", ")}`;
    case "unrecognized_keys":
      return hasNoField(zod.keys ?? []);
    case "invalid_format":
      return texts === "hidden" || zod.message === ""
        ? `is not a valid ${formatName(zod.format)}`
        : zod.message;
    default:
      if (texts === "hidden") return MISFIT;
      return decapitalize(zod.message) || sayLimit(zod) || MISFIT;
  }
}

/**
 * Lists the fields that do not exist, if they look like names. In a CSV file without a header line, values become field names,
 * and one of them is a key. An invisible byte order mark at the start of a name is shown escaped, because it is the mistake.
 */
export function hasNoField(keys: readonly string[]): string {
  const names = keys
    .filter((key) => isFieldName(key.replace(/^\uFEFF/, "")))
    .map((key) => key.replace(/^\uFEFF/, String.raw`\uFEFF`));
  const hidden = keys.length - names.length;
  if (names.length > MAX_PROBLEMS)
    names.splice(MAX_PROBLEMS, Infinity, `and ${names.length - MAX_PROBLEMS} more`);
  if (hidden === 0) return `has no field ${names.join(", ")}`;
  const others = `${hidden} not shown, which may be values: is the header line of a table missing?`;
  return `has no field ${[...names, `(${others})`].join(", ")}`;
}

/** The unit of a size limit. For other types, the limit applies to the value itself. */
const UNITS: Readonly<Record<string, string>> = { string: "characters", array: "items" };

function sayLimit(issue: Partial<z.core.$ZodIssue>): string | undefined {
  let limit: string;
  if (issue.code === "too_small")
    limit = `${issue.inclusive === false ? "more than" : "at least"} ${issue.minimum}`;
  else if (issue.code === "too_big")
    limit = `${issue.inclusive === false ? "less than" : "at most"} ${issue.maximum}`;
  else return undefined;
  const unit = UNITS[issue.origin ?? ""];
  return unit === undefined ? `must be ${limit}` : `must have ${limit} ${unit}`;
}

const MISFIT = "does not fit the schema";

function formatName(format: string | undefined): string {
  return format === "guid" || format === "uuid" ? "UUID" : (format ?? "value");
}

function decapitalize(text: string): string {
  return text.charAt(0).toLowerCase() + text.slice(1);
}

function typeName(value: unknown): string {
  if (value === null) return "null";
  if (Array.isArray(value)) return "array";
  if (typeof value === "number" && !Number.isFinite(value)) return String(value);
  return typeof value;
}

function at(value: unknown, path: readonly PropertyKey[]): unknown {
  return path.reduce<unknown>(
    (inner, key) =>
      typeof inner === "object" && inner !== null
        ? (inner as Record<PropertyKey, unknown>)[key]
        : undefined,
    value,
  );
}
