import { describeValue, guardInput } from "@fieldmesh/core";

/** Throws a TypeError for anything but a list of strings. */
export function checkTexts(owner: string, given: Iterable<string>): void {
  guardInput(`The argument of ${owner}`, given, () => {
    const isList = typeof given === "object" && given !== null && Symbol.iterator in given;
    if (!isList || ![...given].every((each) => typeof each === "string"))
      throw new TypeError(`${owner} requires a list of strings, not ${describeValue(given)}.`);
  });
}
