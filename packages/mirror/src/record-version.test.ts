import { expect, test } from "vitest";
import { recordVersion } from "./record-version.ts";
import { rowOf, type MirrorRow } from "./row.ts";
import type { Rows } from "./rows.ts";
import type { Version } from "./version.ts";

const key = { tenant: "", family: "sim", id: "sim_1", livemode: false };
const version = (id: string, hour = "10"): Version => ({
  id,
  type: "sim.restored",
  time: `2026-11-20T${hour}:00:00.000Z`,
  state: { id: "sim_1" },
  personal: null,
  previous: null,
});

/** A table whose row is not older than the event. Returns the claim, and the ids of the versions that were written. */
async function record(found: readonly Version[] | undefined, event: Version) {
  const written: string[][] = [];
  const rows: Partial<Rows> = {
    withoutErased: async (_key, given) => given,
    writeNewer: async () => false,
    read: async () => found && rowOf(key, found),
    write: async ({ versions }: MirrorRow) => {
      written.push(versions.map(({ id }) => id));
      return true;
    },
  };
  return { claim: await recordVersion(rows as Rows, { key, version: event }), written };
}

test("an event is older than a row of a later time", async () => {
  expect(await record([version("evt_2", "11")], version("evt_1"))).toEqual({
    claim: "older",
    written: [],
  });
});

test("an event that is handled again has the place that it had, and writes nothing", async () => {
  expect(await record([version("evt_1")], version("evt_1"))).toEqual({
    claim: "newest",
    written: [],
  });
  expect(await record([version("evt_1"), version("evt_2")], version("evt_1"))).toEqual({
    claim: "ambiguous",
    written: [],
  });
});

test("an event of the same time is kept beside the others", async () => {
  expect(await record([version("evt_1")], version("evt_2"))).toEqual({
    claim: "ambiguous",
    written: [["evt_1", "evt_2"]],
  });
});

test("a row that has vanished is an error that says who may write the table", async () => {
  await expect(record(undefined, version("evt_1"))).rejects.toThrow(
    "A row of the mirror was deleted while its event was handled. Only the mirror may write its tables.",
  );
});
