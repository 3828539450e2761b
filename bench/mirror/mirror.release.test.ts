import { afterAll, test } from "vitest";
import { startPostgres } from "../../tools/servers.ts";
import { expectMirror } from "./expect-mirror.ts";

const postgres = await startPostgres();
afterAll(async () => {
  if (postgres.url !== undefined) await postgres.stop();
});

/** A machine with much other work needed more than an hour. */
const LONGEST_MS = 4 * 3_600_000;

test.skipIf(postgres.url === undefined)(
  "after 50 kills, 100,000 events leave 5,000 rows of which none is wrong without a mark",
  async () => {
    const database = String(postgres.url);
    await expectMirror({ database, objects: 5_000, eventsOfEach: 20, kills: 50, planted: 100 });
  },
  LONGEST_MS,
);
