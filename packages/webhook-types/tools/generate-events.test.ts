import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { generatedFolder, generateEvents } from "./generate-events.ts";

test("the checked-in files match the schemas; if not, run `npm run generate -- events`", async () => {
  const generated = await generateEvents();
  expect(readdirSync(generatedFolder).sort()).toEqual([...generated.keys()].sort());
  const stale = [...generated].filter(
    ([file, text]) => readFileSync(join(generatedFolder, file), "utf8") !== text,
  );
  expect(stale.map(([file]) => file)).toEqual([]);
});
