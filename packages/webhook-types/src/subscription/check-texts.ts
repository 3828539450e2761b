import { describeValue, guardInput } from "@fieldmesh/core";

/** Throws a TypeError for what is not a list of strings. */
export function checkTexts(owner: string, given: Iterable<string>): void {
  guardInput(`What ${owner} got`, given, () => {
    const isList = typeof given === "object" && given !== null && Symbol.iterator in given;
    if (!isList || ![...given].every((each) => typeof each === "string"))
      throw new TypeError(`${owner} takes a list of strings, and not ${describeValue(given)}.`);
  });
}
