import { readFileSync } from "node:fs";
import { expect, test } from "vitest";
import { eventTypesNotInContract } from "../../../../tools/testing/not-in-contract.ts";
import { currentEventTypes, earlierEventTypes } from "./event-types.ts";

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
  "every %s event type is in the contract, or has its reason in tools/testing/not-in-contract.ts",
  (_catalog, types, subjects) => {
    const invented = types.filter((type) => !subjects.has(type));
    expect(invented.filter((type) => eventTypesNotInContract[type] === undefined)).toEqual([]);
  },
);

test("a type with a reason in not-in-contract.ts is one that the contract does not have", () => {
  const known = new Set(events.map(({ subject }) => subject));
  expect(Object.keys(eventTypesNotInContract).filter((type) => known.has(type))).toEqual([]);
});
