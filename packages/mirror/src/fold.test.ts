import { expect, test } from "vitest";
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

test("only the versions of the greatest time count, each once, by their ids", () => {
  const old = version("d", {}, undefined, { time: "2026-11-20T09:00:00.000Z" });
  expect(shownBy(old, version("c"), version("a"), version("c"))).toMatchObject({
    newest: ["a", "c"],
  });
});

test("one version is not in doubt", () => {
  expect(shownBy(version("a"))).toEqual({ newest: ["a"], shown: "a", isAmbiguous: false });
});

test("of several that may be the last, the one with the greatest id is shown, in doubt", () => {
  // d is before b, so it cannot be the last.
  const versions = [version("a"), version("b", { n: 2 }, { n: 1 }), version("d", { n: 1 })];
  expect(shownBy(...versions)).toMatchObject({ shown: "b", isAmbiguous: true });
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

test("a change and its reverse order nothing", () => {
  const there = version("a", { n: 2 }, { n: 1 });
  const back = version("b", { n: 1 }, { n: 2 });
  expect(shownBy(there, back)).toMatchObject({ shown: "b", isAmbiguous: true });
});

test("previous values that are missing order nothing", () => {
  expect(shownBy(version("b", { n: 1 }), version("a", { n: 2 }, {}))).toMatchObject({
    shown: "b",
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
