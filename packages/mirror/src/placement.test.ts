import fc from "fast-check";
import { expect, test } from "vitest";
import { rowOf } from "./row.ts";
import type { Version } from "./version.ts";

const KEY = { tenant: "", family: "sim", id: "sim_1", livemode: false };
const name = fc.constantFrom(null, "a", "b", "c");
const values = fc.record(
  {
    subscriber_id: name,
    holder_subscriber_id: name,
    subscription_id: name,
    subscription_line_id: name,
    subscription_status: fc.constantFrom("active", "cancelled", null),
    state: fc.constantFrom("active", "suspended"),
  },
  { requiredKeys: [] },
);
const version = fc.record<Version>({
  id: fc.constantFrom("e1", "e2", "e3", "e4", "e5", "e6"),
  type: fc.constantFrom(
    "sim.linked",
    "sim.reassigned",
    "sim.reassigned",
    "sim.cleared",
    "sim.synced",
  ),
  time: fc.constantFrom("10", "11", "12"),
  state: values,
  personal: fc.constantFrom(null, { msisdn: "5551234" }),
  previous: fc.option(fc.record({ values, isPart: fc.boolean() })),
});
const history = fc.uniqueArray(version, { selector: ({ id }) => id, minLength: 1 });

test("added one by one, in any order and twice, events leave the row of all at once", () => {
  const arrivals = history.chain((events) =>
    fc.tuple(
      fc.constant(events),
      fc.shuffledSubarray([...events, ...events], { minLength: events.length * 2 }),
    ),
  );
  fc.assert(
    fc.property(arrivals, ([events, arrived]) => {
      let row = rowOf(KEY, arrived.slice(0, 1));
      for (const each of arrived) row = rowOf(KEY, [...row.versions, each]);
      expect(row).toEqual(rowOf(KEY, events));
    }),
    { numRuns: 2_000 },
  );
});
