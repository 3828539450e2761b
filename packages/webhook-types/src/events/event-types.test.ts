import { readFileSync } from "node:fs";
import { expect, test } from "vitest";
import { currentEventTypes, earlierEventTypes } from "./event-types.ts";

/** Event types of the schemas that the contract does not have, each with a reason. A new one requires a line here. */
const notInContract: Readonly<Record<string, string>> = {};

interface NamedInSpec {
  readonly document: string;
  readonly section: string;
  readonly subject: string;
}

// What `npm run generate` reads from the spec.
const names = new URL("../../../../tools/testing/spec-names.json", import.meta.url);
const EARLIER = "Events > Earlier catalog";
const events = (JSON.parse(readFileSync(names, "utf8")) as NamedInSpec[]).filter(
  ({ document, section }) => document === "mobile-events.md" && section.startsWith("Events > "),
);
const subjectsOf = (isEarlier: boolean): ReadonlySet<string> =>
  new Set(
    events
      .filter(({ section }) => (section === EARLIER) === isEarlier)
      .map(({ subject }) => subject),
  );

test.each([
  ["current", currentEventTypes, subjectsOf(false)],
  ["earlier", earlierEventTypes, subjectsOf(true)],
] as const)(
  "every %s event type is in the contract, or has its reason in notInContract of event-types.test.ts",
  (_catalog, types, subjects) => {
    const invented = types.filter((type) => !subjects.has(type));
    expect(invented.filter((type) => notInContract[type] === undefined)).toEqual([]);
  },
);

test("a type with a reason in notInContract is one that the contract does not have", () => {
  const known = new Set(events.map(({ subject }) => subject));
  expect(Object.keys(notInContract).filter((type) => known.has(type))).toEqual([]);
});
