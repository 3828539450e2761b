import { expect, test } from "vitest";
import { hideAdded } from "./hide-added.ts";

function seen(): string[] {
  const names: string[] = [];
  // oxlint-disable-next-line guard-for-in -- what it sees is the point
  for (const name in {}) names.push(name);
  return names;
}

/** Adds a member, runs the function, and removes it, because expect uses for-in too. */
function withMember<T>(work: () => T): T {
  Object.defineProperty(Object.prototype, "extend", { enumerable: true, configurable: true });
  try {
    return work();
  } finally {
    Reflect.deleteProperty(Object.prototype, "extend");
  }
}

test("what a program has added is hidden from for-in while the function runs, and no longer", () => {
  const [before, during, after] = withMember(() => [
    seen(),
    hideAdded(() => [seen(), hideAdded(seen), seen()]),
    seen(),
  ]);
  expect(before).toEqual(["extend"]);
  expect(during).toEqual([[], [], []]);
  expect(after).toEqual(["extend"]);
});
