import { expect, test } from "vitest";
import type * as receiver from "../src/receiver/index.ts";
import type * as stores from "../src/stores/index.ts";

type Exports = typeof receiver & typeof stores;

/** The exported functions that create a `Kind` of store. A table of them does not compile if it lacks one. */
export type CreatorsOf<Kind> = {
  [
    Name in keyof Exports as Exports[Name] extends (...args: never[]) => Kind ? Name : never
  ]: Exports[Name];
};

/**
 * Adds a test that fails for each store of a table that has not run the test kit. Returns the function that each kit calls with
 * the name of its store, before the tests run. Without the databases, most stores do not run it.
 */
export function everyRuns<Creators extends object>(
  creators: Creators,
  { hasServers }: { readonly hasServers: boolean },
): (name: keyof Creators & string) => void {
  const ran = new Set<string>();
  test.runIf(hasServers).each(Object.keys(creators))("%s runs the test kit", (name) => {
    expect([...ran]).toContain(name);
  });
  return (name) => void ran.add(name);
}
