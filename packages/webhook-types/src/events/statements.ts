import type * as z from "@fieldmesh/core/internal/zod";
import { type AnyRecord, isSecret, recordOf, timeOfStamp } from "@fieldmesh/core/internal";
import { type Drift, driftIssue } from "@fieldmesh/core/internal/schema";

// What the spec says about an event beyond the form of its fields. An event that contradicts it has drifted: it is handled. Only where
// the spec also states the place of the field is it an error under `validation: "strict"`.

/** Returns what contradicts one sentence of the spec in the data of an event. */
export type Statement = (data: AnyRecord) => readonly z.core.$ZodRawIssue[];

/** The data of an event, about which the spec says more than its form. */
export const stating = <Data extends z.ZodMiniObject>(
  data: Data,
  ...statements: readonly Statement[]
): Data =>
  data.check((({ value, issues }) => {
    for (const statement of statements) issues.push(...statement(value));
  }) satisfies z.core.CheckFn<AnyRecord> as never);

const required =
  (isAbsent: (value: unknown) => boolean) =>
  (...names: readonly string[]): Statement =>
  (data) =>
    names
      .filter((name) => [recordOf(data["object"])[name], data[name]].every(isAbsent))
      .map((name) => driftIssue(["object", name], "is missing"));

/** The event has these fields, in `data.object` or in `data`: the spec says "carries" and not where. */
export const carries = required((value) => value === undefined || value === null);

/** Like {@link carries}, for fields that may be `null`. */
export const carriesOrNull = required((value) => value === undefined);

/** The event has none of these fields. */
export const lacks =
  (...names: readonly string[]): Statement =>
  (data) => [
    ...presentIn(recordOf(data["object"]), names).map((name) =>
      driftIssue(["object", name], ABSENT),
    ),
    ...presentIn(data, names).map((name) => driftIssue([name], ABSENT)),
  ];

const ABSENT = "must be absent";

function presentIn(record: AnyRecord, names: readonly string[]): string[] {
  return names.filter((name) => (record[name] ?? null) !== null);
}

/** A field at this place in `data`, if the event has it, fits. */
export const fits =
  (
    place: string,
    expected: string,
    test: (value: unknown, data: AnyRecord) => boolean,
    drift: Drift = "always",
  ): Statement =>
  (data) => {
    const path = place.split(".");
    const found = path.reduce<unknown>((record, name) => recordOf(record)[name], data);
    const value = isSecret(found) ? found.reveal() : found;
    if (value === undefined || value === null || test(value, data)) return [];
    return [driftIssue(path, `expected ${expected}`, drift)];
  };

/** A field at this place, if the event has it, has one of these values. */
export const says = (place: string, values: readonly unknown[], drift?: Drift): Statement =>
  fits(place, values.join(" or "), (value) => values.includes(value), drift);

export function isStamp(value: unknown): boolean {
  return !Number.isNaN(timeOfStamp(value));
}

/** Tells whether a value may be a redacted one, because the spec does not show what these look like. */
export function isRedacted(value: unknown): boolean {
  if (typeof value !== "string") return Object.values(recordOf(value)).every(isRedacted);
  return value === "" || /\*|redacted/i.test(value);
}
