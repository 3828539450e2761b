import { afterAll, expect, test } from "vitest";
import { places } from "./places.ts";
import { openWorkshop } from "./workshop.ts";

const workshop = openWorkshop();
afterAll(() => workshop.close());

test.each(places)("$name: every check holds", async (place) => {
  const findings = await workshop.run(place);
  expect(findings.filter(({ error }) => error !== undefined)).toEqual([]);
});
