import { afterAll, expect, test } from "vitest";
import { openWorkshop, places } from "./places.ts";

const workshop = openWorkshop();
afterAll(() => workshop.close());

test.each(places)("$name: every check holds", async (place) => {
  const findings = await workshop.run(place);
  expect(findings.filter(({ error }) => error !== undefined)).toEqual([]);
});
