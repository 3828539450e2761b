// Measures what the pager, the schemas and the JSON of the ledger cost, beside fetch and two peers: npm run bench -- pager
import { setTimeout as sleep } from "node:timers/promises";
import { parseJson } from "@fieldmesh/core";
import { compiled, countRecords } from "@fieldmesh/core/internal/schema";
import { responseSchema, type Endpoint } from "@fieldmesh/http/internal";
import { blocks } from "@fieldmesh/ledger-client/endpoints";
import * as z from "zod";
import { walkers, type Walker } from "./ledger/pagers.ts";
import type { PageTask } from "./ledger/page-server.ts";
import { receiptRows, ROWS_PER_PAGE } from "./ledger/records.ts";
import { nextMessage, startChild } from "./support/child.ts";
import { measureTimes, takeTurns } from "./support/measure.ts";
import { finish, limit, note, table } from "./support/report.ts";

const LATENCY_MS = 20;
const WORK_MS = 20;
const SLOW_PAGES = 25;
const SLOW_ROUNDS = 3;
const CPU_PAGES = 150;
const CPU_ROUNDS = 7;
const ENOUGH_TO_COMPILE = 1_000;

await measurePrefetch();
await measureCpu("receipts", "poc_receipts transactions, 490 KB a page");
// Small pages show the cost of a request compared with fetch.
await measureCpu("blocks", "small records, 20 KB a page");
for (const hasLargeIntegers of [false, true]) await measureJson(hasLargeIntegers);
finish();

async function measurePrefetch(): Promise<void> {
  note(
    `${SLOW_PAGES} pages of ${ROWS_PER_PAGE} rows, ${LATENCY_MS} ms latency, ${WORK_MS} ms of work per page.`,
  );
  const task = { pages: SLOW_PAGES, latencyMs: LATENCY_MS, kind: "blocks" } as const;
  const times = await measureWalks(task, SLOW_ROUNDS, async (walk) => {
    const start = performance.now();
    await walk(async () => sleep(WORK_MS));
    return performance.now() - start;
  });
  table(Object.entries(times).map(([walker, ms]) => ({ walker, ms })));
  const ratio = times.fieldmesh / times["bare fetch loop"];
  limit("prefetch, over a sequential loop", ratio, { most: 0.56 });
}

async function measureCpu(kind: PageTask["kind"], name: string): Promise<void> {
  note(`${CPU_PAGES} pages of ${ROWS_PER_PAGE} ${name}, without latency or work: CPU per row.`);
  const task = { pages: CPU_PAGES, latencyMs: 0, kind };
  const times = await measureWalks(task, CPU_ROUNDS, async (walk) => {
    const start = process.cpuUsage();
    await walk(async () => undefined);
    const { user, system } = process.cpuUsage(start);
    return (user + system) / (CPU_PAGES * ROWS_PER_PAGE);
  });
  const base = times["bare fetch loop"];
  table(Object.entries(times).map(([walker, µs]) => ({ walker, µs, ratio: µs / base })));
  if (kind === "blocks")
    limit(
      "a walk with dispatchFetch, over one with fetch",
      times["fieldmesh, dispatchFetch"] / times.fieldmesh,
      { most: 0.7 },
    );
}

type Walk = (onPage: () => Promise<void>) => Promise<number>;

async function measureWalks(
  task: PageTask,
  rounds: number,
  measureWalk: (walk: Walk) => Promise<number>,
): Promise<Record<keyof typeof walkers, number>> {
  const server = startChild("ledger/page-server.ts", task);
  const origin = `http://127.0.0.1:${await nextMessage<number>(server)}`;
  const measureWalker = (walker: Walker) => measureWalk((onPage) => walker(origin, onPage));
  // The first round compiles.
  await takeTurns(walkers, 1, measureWalker);
  const times = await takeTurns(walkers, rounds, measureWalker);
  server.disconnect();
  return times;
}

async function measureJson(hasLargeIntegers: boolean): Promise<void> {
  const json = `{"data":${receiptRows({ hasLargeIntegers })}}`;
  const integers = hasLargeIntegers ? "with integers beyond 2^53" : "without integers beyond 2^53";
  await countRecords(ENOUGH_TO_COMPILE);
  const schema = compiled(responseSchema(blocks.transactions as Endpoint));
  const page = parseJson(json);
  const times = await measureTimes({
    "JSON.parse": () => JSON.parse(json) as unknown,
    parseJson: () => parseJson(json),
    validation: () => z.decode(schema, page),
  });
  note(`A page of ${ROWS_PER_PAGE} poc_receipts transactions, ${json.length} bytes, ${integers}.`);
  const base = times["JSON.parse"];
  table(Object.entries(times).map(([step, µs]) => ({ step, µs, ratio: µs / base })));
  limit(`parseJson over JSON.parse, ${integers}`, times.parseJson / base, {
    most: hasLargeIntegers ? 2.1 : 1.27,
  });
  limit(`validation over JSON.parse, ${integers}`, times.validation / base, { most: 0.3 });
}
