import { afterAll, test } from "vitest";
import { startPostgres } from "../receiver/servers.ts";
import { expectCaughtUp } from "./expect-caught-up.ts";

const postgres = await startPostgres();
afterAll(async () => {
  if (postgres.url !== undefined) await postgres.stop();
});
const title =
  postgres.url === undefined
    ? `skipped, because ${postgres.missing}`
    : "2,000 events that a receiver missed are each handled once, through a kill in the middle";

// oxlint-disable-next-line vitest/valid-title -- a skipped test is what shows the reason
test.skipIf(postgres.url === undefined)(title, async () => {
  await expectCaughtUp(String(postgres.url), 2_000);
});
