import { afterAll, expect, test } from "vitest";
import { openWorkshop, places } from "./places.ts";

// One runtime of each kind, and a project that is quick. The release tier has all places. CommonJS is run by tools/tarballs/installed.slow.test.ts.
const CHOSEN = process.env["LONG_TESTS"] === "yes" ? /./ : /^Node 22|without code|^javascript$/;
const workshop = openWorkshop();
afterAll(() => workshop.close());

test.each(places.filter(({ name }) => CHOSEN.test(name)))(
  "$name: every check holds",
  async (place) => {
    const findings = await workshop.run(place);
    expect(findings.filter(({ error }) => error !== undefined)).toEqual([]);
    expect(findings.length).toBeGreaterThan(place.kind === "runtime" ? 80 : 0);
  },
);
