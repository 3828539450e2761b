// What the pager, the schemas and the JSON of the ledger cost, beside the loop without them and two peers: npm run bench:pager
import { fork } from "node:child_process";
import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { parseJson } from "@fieldmesh/core";
import { answerDecoder, type Endpoint } from "@fieldmesh/http";
import { blocks } from "@fieldmesh/ledger-client/endpoints";
import { ROWS_A_PAGE, walkers, type Walker } from "./ledger/pagers.ts";
import { blockRows, receiptRows } from "./ledger/records.ts";
import { median } from "./median.ts";

const LATENCY = 20;
const WORK = 20;
const SLOW_PAGES = 25;
const CPU_PAGES = 150;
const RUNS = 7;
const PARSES = 120;

const rows = await blockRows();
const figures: [text: string, value: number, limit: number][] = [];

console.log(
  `${SLOW_PAGES} pages of ${ROWS_A_PAGE} rows, ${LATENCY} ms latency, ${WORK} ms of work a page`,
);
await withServer({ pages: SLOW_PAGES, latency: LATENCY }, rows, async (origin) => {
  const times = await measureAll((walk) => timeOf(() => walk(origin, async () => sleep(WORK))), 3);
  print(times, "ms");
  figures.push([
    "prefetch over a sequential loop",
    times.fieldmesh / times["bare fetch loop"],
    0.56,
  ]);
});

for (const [what, data, limit] of [
  ["poc_receipts transactions, 490 KB a page", receiptRows({ nanoseconds: false }), 1.15],
  // Small pages show what a request costs beside fetch: it is the transport's, and has no limit of its own.
  ["small records, 20 KB a page", rows, Infinity],
] as const) {
  console.log(`\n${CPU_PAGES} pages of ${ROWS_A_PAGE} ${what}, without latency or work: CPU a row`);
  await withServer({ pages: CPU_PAGES, latency: 0 }, data, async (origin) => {
    const cpu = await measureAll((walk) => cpuOf(() => walk(origin, async () => undefined)), RUNS);
    const perRow = Object.fromEntries(
      Object.entries(cpu).map(([name, ms]) => [name, (1_000 * ms) / (CPU_PAGES * ROWS_A_PAGE)]),
    );
    print(perRow, "µs");
    const text = `CPU a row over a bare loop that validates, ${what}`;
    figures.push([text, cpu.fieldmesh / cpu["bare fetch loop"], limit]);
  });
}

console.log("\na page of 100 poc_receipts transactions");
for (const nanoseconds of [false, true]) {
  const text = `{"data":${receiptRows({ nanoseconds })}}`;
  const decode = answerDecoder(blocks.transactions as Endpoint);
  const native = fastest(() => JSON.parse(text) as unknown);
  const lossless = fastest(() => parseJson(text));
  // It takes its value over, so that each run has a new one.
  const validation = fastest(decode, () => parseJson(text));
  const size = `${Math.round(text.length / 1_000)} KB, ${nanoseconds ? "with" : "without"} integers beyond 2^53`;
  print(
    {
      [`JSON.parse (${size})`]: native,
      parseJson: lossless,
      "validation and conversion": validation,
    },
    "ms",
  );
  figures.push([`parseJson over JSON.parse, ${size}`, lossless / native, nanoseconds ? 2.2 : 1.3]);
  figures.push([`validation over JSON.parse, ${size}`, validation / native, 0.22]);
}

console.log("");
for (const [text, value, limit] of figures)
  console.log(`${value.toFixed(2)} (limit ${limit})${value > limit ? "  OVER" : ""}  ${text}`);
process.exitCode = figures.some(([, value, limit]) => value > limit) ? 1 : 0;

/** The median of each way, with their runs taken in turns, so that none has the quiet minute. */
async function measureAll(
  measure: (walk: Walker) => Promise<number>,
  runs: number,
): Promise<Record<keyof typeof walkers, number>> {
  const names = Object.keys(walkers) as (keyof typeof walkers)[];
  const results = new Map(names.map((name) => [name, [] as number[]]));
  for (let run = 0; run <= runs; run++) {
    for (const name of names) {
      const result = await measure(walkers[name]);
      // The first run compiles.
      if (run > 0) results.get(name)!.push(result);
    }
  }
  return Object.fromEntries(names.map((name) => [name, median(results.get(name)!)])) as never;
}

async function timeOf(run: () => Promise<unknown>): Promise<number> {
  const start = performance.now();
  await run();
  return performance.now() - start;
}

async function cpuOf(run: () => Promise<unknown>): Promise<number> {
  const start = process.cpuUsage();
  await run();
  const { user, system } = process.cpuUsage(start);
  return (user + system) / 1_000;
}

/** The fastest of many runs: what the code takes when nothing disturbs it. */
function fastest(run: (value: unknown) => unknown, prepare?: () => unknown): number {
  let best = Infinity;
  for (let at = 0; at < PARSES; at++) {
    const value = prepare?.();
    const start = performance.now();
    run(value);
    best = Math.min(best, performance.now() - start);
  }
  return best;
}

async function withServer(
  { pages, latency }: { pages: number; latency: number },
  data: string,
  use: (origin: string) => Promise<void>,
): Promise<void> {
  const child = fork(
    join(import.meta.dirname, "ledger/page-server.ts"),
    [String(pages), String(latency)],
    {
      stdio: ["ignore", "pipe", "inherit", "ipc"],
    },
  );
  child.send(data);
  const port = await new Promise<string>((resolve) =>
    child.stdout!.once("data", (chunk) => resolve(String(chunk).trim())),
  );
  await use(`http://127.0.0.1:${port}`);
  child.disconnect();
}

function print(values: Readonly<Record<string, number>>, unit: string): void {
  for (const [name, value] of Object.entries(values))
    console.log(`  ${value.toFixed(2).padStart(9)} ${unit}  ${name}`);
}
