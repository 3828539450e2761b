import { requires, readInput } from "@fieldmesh/core/internal";

export function checkTexts(owner: string, given: Iterable<string>): void {
  readInput(`The argument of ${owner}`, () => {
    const isList = typeof given === "object" && given !== null && Symbol.iterator in given;
    if (!isList || ![...given].every((each) => typeof each === "string"))
      throw requires(owner, "a list of strings", given);
  });
}
