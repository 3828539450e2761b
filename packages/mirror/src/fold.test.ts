import fc from "fast-check";
import { expect, test } from "vitest";
import { canonical } from "./canonical.ts";
import { fold } from "./fold.ts";
import type { Version } from "./version.ts";

const TIME = "2026-11-20T10:00:00.000Z";
const version = (
  id: string,
  state: object = {},
  before?: object,
  more: Partial<Version> = {},
): Version => ({
  id,
  type: "sim.restored",
  time: TIME,
  state: state as Version["state"],
  personal: null,
  previous: before === undefined ? null : { values: before as Version["state"], isPart: false },
  ...more,
});
const shownBy = (...versions: readonly Version[]) => {
  const { newest, shown, isAmbiguous } = fold(versions);
  return { newest: newest.map(({ id }) => id), shown: shown.id, isAmbiguous };
};

test("of several that may be the last, the one with the greatest id is shown, in doubt", () => {
  // d is before b, so it cannot be the last.
  const versions = [version("a"), version("b", { n: 2 }, { n: 1 }), version("d", { n: 1 })];
  expect(shownBy(...versions)).toMatchObject({ shown: "b", isAmbiguous: true });
});

test("two that may be the last and show the same are not in doubt", () => {
  // A sync fires beside the change that it has found.
  const state = { state: "suspended" };
  const synced = version("a", state, undefined, { type: "sim.synced" });
  const suspended = version("b", state, { state: "active" }, { type: "sim.suspended" });
  const restored = version("c", { state: "active" });
  expect(shownBy(synced, suspended)).toMatchObject({ shown: "b", isAmbiguous: false });
  expect(shownBy(restored, synced, suspended)).toMatchObject({ shown: "b", isAmbiguous: false });
  const other = version("c", { state: "provisioned" });
  expect(shownBy(other, synced, suspended)).toMatchObject({ shown: "c", isAmbiguous: true });
  // One of them deletes the object, or has personal fields.
  for (const more of [{ type: "plan.deleted" }, { personal: { msisdn: "5551234" } }])
    expect(shownBy(synced, version("b", state, undefined, more)).isAmbiguous).toBe(true);
});

test("versions that contradict each other show the greatest id, in doubt", () => {
  const circle = [
    version("a", { n: 1 }, { n: 3 }),
    version("b", { n: 2 }, { n: 1 }),
    version("c", { n: 3 }, { n: 2 }),
  ];
  expect(shownBy(...circle)).toEqual({ newest: ["a", "b", "c"], shown: "c", isAmbiguous: true });
  // One last version, to which the circle does not lead.
  expect(shownBy(...circle, version("A", { n: 9 }))).toMatchObject({
    shown: "A",
    isAmbiguous: true,
  });
});

test("a field that is missing has no value, like one that is null", () => {
  expect(shownBy(version("b", {}), version("a", { n: 2 }, { n: null }))).toEqual({
    newest: ["a", "b"],
    shown: "a",
    isAmbiguous: false,
  });
  expect(shownBy(version("b", { n: null }), version("a", { n: 2 }, { n: null }))).toMatchObject({
    shown: "a",
    isAmbiguous: false,
  });
});

const value = fc.constantFrom(null, 1, "a");
const anyVersion = fc.record<Version>({
  id: fc.constantFrom("e1", "e2", "e3", "e4", "e5"),
  type: fc.constant("plan.updated"),
  time: fc.constantFrom("2026-11-20T10:00:00.000Z", "2026-11-20T11:00:00.000Z"),
  state: fc.record({ x: value, y: value }),
  personal: fc.constant(null),
  previous: fc.option(
    fc.record({
      values: fc.record({ x: value, y: value }, { requiredKeys: [] }),
      isPart: fc.boolean(),
    }),
  ),
});
/** An event is the same each time that it arrives. */
const history = fc.uniqueArray(anyVersion, { selector: ({ id }) => id, minLength: 1 });
const shuffled = history.chain((events) =>
  fc.tuple(
    fc.constant(events),
    fc.shuffledSubarray([...events, ...events], { minLength: events.length * 2 }),
  ),
);

test("added one by one, in any order and twice, events leave the same row as all at once", () => {
  fc.assert(
    fc.property(shuffled, ([events, arrivals]) => {
      let known: readonly Version[] = [];
      for (const arrival of arrivals) known = fold([...known, arrival]).newest;
      expect(fold(known)).toEqual(fold(events));
    }),
  );
});

test("a chain of changes shows its last state, whatever the ids, and is not in doubt", () => {
  fc.assert(
    fc.property(fc.shuffledSubarray(["a", "b", "c", "d", "e"], { minLength: 1 }), (ids) => {
      const chain = ids.map((id, at): Version => ({
        id,
        type: "plan.updated",
        time: "2026-11-20T10:00:00.000Z",
        state: { step: at + 1 },
        personal: null,
        previous: { values: { step: at }, isPart: false },
      }));
      expect(fold(chain)).toMatchObject({ shown: { id: ids.at(-1) }, isAmbiguous: false });
    }),
  );
});

test("previous values that are not all stored order nothing, but can contradict", () => {
  const at = { type: "sim.cleared", time: "2026-11-20T10:00:00.000Z", personal: null };
  const first = { ...at, id: "a", state: { x: 1 }, previous: null };
  const part = { ...at, id: "b", state: { x: 2 }, previous: { values: { x: 1 }, isPart: true } };
  expect(fold([first, part]).isAmbiguous).toBe(true);
  const whole = { ...first, previous: { values: { x: 2 }, isPart: false } };
  // The other order is possible too.
  expect(fold([whole, part]).isAmbiguous).toBe(true);
  const other = { ...part, previous: { values: { x: 3 }, isPart: true } };
  expect(fold([whole, other])).toMatchObject({ shown: { id: "a" }, isAmbiguous: false });
});

test("equal values have equal JSON, whatever the order of fields and the form of numbers", () => {
  expect(canonical({ b: [1e300, 2], a: -0 })).toBe(canonical({ a: 0, b: [10n ** 300n, 2n] }));
  expect(canonical(12345678901234567890n)).not.toBe(canonical(12345678901234567891n));
});
