import { afterAll, test } from "vitest";
import { startPostgres } from "../../tools/servers.ts";
import { expectMirror } from "./expect-mirror.ts";

const postgres = await startPostgres();
afterAll(async () => {
  if (postgres.url !== undefined) await postgres.stop();
});

// mirror.release.test.ts is the large one.
test.skipIf(postgres.url === undefined)(
  "after kills and a catch-up, no row of a mirror is wrong without a mark, or marked without doubt",
  async () => {
    const database = String(postgres.url);
    await expectMirror({ database, objects: 100, eventsOfEach: 10, kills: 2, planted: 20 });
  },
);
