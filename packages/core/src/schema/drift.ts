import * as z from "../zod.ts";
import { childAt, innerOf } from "./children.ts";

const guesses = z.registry<{ guess: true }>();

/**
 * Marks a part of a response or an event whose form the contract does not state, so the schema is a guess.
 *
 * A value that differs from a guess is never an error, not even under `validation: "strict"`. You get the value as it was sent,
 * with its secrets hidden, and a drift report. Everything inside the schema is part of the guess. Returns a copy, so that the
 * same schema is not a guess elsewhere.
 */
export function guess<S extends z.core.$ZodType>(schema: S): S {
  // The copy keeps its parent, so it is as sensitive as the original.
  const marked = z.clone(schema, schema._zod.def, { parent: true });
  guesses.add(marked, { guess: true });
  return marked;
}

/** Whether a difference that a check of ours found is drift in every mode, or an error under `validation: "strict"`. */
export type Drift = "always" | "unless-strict";

/**
 * Makes the issue of a check of a record: the value differs from the contract, and is not wrong.
 *
 * zod runs such a check only for a record without other issues, and {@link limited} for the rest: one that zod itself ran beside them
 * (`when`) could not be compiled, and a long list would take five times as long.
 */
export function driftIssue(
  path: PropertyKey[],
  message: string,
  drift: Drift = "always",
): z.core.$ZodRawIssue {
  // It continues, so that a union chooses a member whose only issues are drift.
  return { code: "custom", path, message, params: { drift }, input: undefined, continue: true };
}

/** Returns what a check of ours said about an issue. */
export function driftOf(issue: z.core.$ZodIssue): Drift | undefined {
  return issue.code === "custom" ? (issue.params?.["drift"] as Drift | undefined) : undefined;
}

/** Tells whether an issue concerns a guess, or a check reported it as drift. If so, the value has drifted and is not wrong. */
export function isDrift(schema: z.core.$ZodType, issue: z.core.$ZodIssue): boolean {
  return isDriftAt(schema, issue.path, issue);
}

function isDriftAt(
  schema: z.core.$ZodType,
  path: readonly PropertyKey[],
  issue: z.core.$ZodIssue,
): boolean {
  if (driftOf(issue) === "always" || guesses.get(schema) !== undefined) return true;
  const below = (inner: z.core.$ZodType): boolean => isDriftAt(inner, path, issue);
  const inner = innerOf(schema);
  if (inner !== undefined) return below(inner);
  const def = (schema as z.core.$ZodTypes)._zod.def;
  if (def.type === "pipe") return below(def.in) || below(def.out);
  if (def.type === "intersection") return below(def.left) || below(def.right);
  if (def.type === "union")
    return path.length === 0 ? fitsButForDrift(def.options, issue) : def.options.some(below);
  const [key, ...rest] = path;
  const child = key === undefined ? undefined : childAt(schema, key);
  return child !== undefined && isDriftAt(child, rest, issue);
}

/** Tells whether one member of a union fits except for its drift. */
function fitsButForDrift(options: readonly z.core.$ZodType[], issue: z.core.$ZodIssue): boolean {
  if (issue.code !== "invalid_union") return false;
  return options.some((option, index) =>
    issue.errors[index]?.every((each) => isDriftAt(option, each.path, each)),
  );
}
