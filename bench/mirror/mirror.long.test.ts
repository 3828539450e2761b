// The acceptance of the mirror.
import { afterAll, expect, test } from "vitest";
import { startPostgres } from "../../tools/servers.ts";
import { describeWith } from "../../tools/testing/describe-with.ts";
import { type MirrorRun, runMirror } from "./run-mirror.ts";

const SIZE: Omit<MirrorRun, "database"> =
  process.env["LONG_TESTS"] === "yes"
    ? { objects: 5_000, eventsOfEach: 20, kills: 50, planted: 100 }
    : { objects: 100, eventsOfEach: 10, kills: 2, planted: 20 };
/** The large one needed more than an hour on a machine with much other work. */
const LONGEST_MS = 4 * 3_600_000;

const postgres = await startPostgres();
afterAll(async () => {
  if (postgres.url !== undefined) await postgres.stop();
});

describeWith(postgres, "PostgreSQL", (database) => {
  test(
    `after ${SIZE.kills} kills and a catch-up, no row is wrong without a mark, or marked without doubt`,
    async () => {
      const outcome = await runMirror({ database, ...SIZE });
      console.log(JSON.stringify(outcome));
      expect(outcome).toMatchObject({
        events: SIZE.objects * SIZE.eventsOfEach,
        wrong: 0,
        missing: 0,
        markedWithoutDoubt: 0,
        accused: 0,
        planted: SIZE.planted,
        found: SIZE.planted,
        foundElsewhere: 0,
        written: SIZE.planted,
        wrongAfterRepair: 0,
      });
      expect(outcome.kills).toBeGreaterThanOrEqual(SIZE.kills - 1);
      // The feed has what the rule of others leaves wrong.
      expect(outcome.wrongByCommonRule).toBeGreaterThan(0);
      expect(outcome.wrongBeforeCatchUp).toBeGreaterThan(0);
    },
    LONGEST_MS,
  );
});
