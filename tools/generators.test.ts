import { expect, test } from "vitest";
import { GENERATORS, staleFiles } from "./generators.ts";

test.for(Object.entries(GENERATORS))(
  "what is checked in is new: npm run generate -- %s would change nothing",
  async ([, { files, folders }], { skip }) => {
    const generated = await files();
    skip(generated.size === 0, "The contract is not beside this checkout.");
    expect(staleFiles(generated, folders)).toEqual([]);
  },
);
