// Measures snapshots of a large fleet, forks, a step back, and what the journal for it costs: npm run bench -- forks
import { createSandbox, type Sandbox } from "@fieldmesh/sandbox";
import { median } from "./support/measure.ts";
import { finish, limit, note, table } from "./support/report.ts";

const isShort = process.env["BENCH_SHORT"] !== undefined;
const ROUNDS = isShort ? 1 : 5;
const FLEET = isShort ? 1_000 : 100_000;
const FORKS = isShort ? 10 : 1_000;
const FORKED = 1_000;
const REQUESTS = isShort ? 100 : 5_000;
const BATCH = 1_000;
const SECOND = 1_000;
const MEGABYTE = 1_000_000;
const LOG_SIZE = 10_000;

const small = await createFleet(FORKED);
const forks = await rounds(async () => {
  const [all, made] = await timed(() => Array.from({ length: FORKS }, () => small.fork()));
  const [, wrote] = await timed(async () => {
    for (const [index, fork] of all.entries())
      await post(fork, "labels", { name: `Fork ${index}` });
  });
  if (small.console.state.labels.size !== 1) throw new Error("A fork has changed its origin.");
  return { made, wrote };
});
note(`${FORKS} forks of a sandbox with ${FORKED} devices, each written to once, in milliseconds.`);
table([{ "create the forks": forks.made, "write to each": forks.wrote }]);

const fleet = await createFleet(FLEET);
const snapshots = await rounds(async () => {
  const [snapshot, taken] = await timed(() => fleet.snapshot());
  const [json, written] = await timed(() => JSON.stringify(snapshot));
  const [parsed, read] = await timed(() => JSON.parse(json) as typeof snapshot);
  const [, restored] = await timed(() => fleet.restore(snapshot));
  const [, started] = await timed(() => createSandbox({ snapshot: parsed }));
  return { taken, written, read, restored, started, megabytes: json.length / MEGABYTE };
});
note(`A fleet of ${FLEET} devices, each with a label. Medians of ${ROUNDS} runs, in milliseconds.`);
table([
  {
    snapshot: snapshots.taken,
    "JSON.stringify": snapshots.written,
    "JSON.parse": snapshots.read,
    restore: snapshots.restored,
    "createSandbox from JSON": snapshots.started,
    "size in MB": snapshots.megabytes,
  },
]);

const speeds = await rounds(async () => {
  const without = await requestsPerSecond(0);
  const counted = await requestsPerSecond(LOG_SIZE);
  return {
    without: without.speed,
    counted: counted.speed,
    ratio: counted.speed / without.speed,
    back: counted.back,
  };
});
note(
  `Requests per second in this process, and a step back over ${REQUESTS} requests. With \`logSize: 0\`, there is no log, so a step back is not possible. Medians of ${ROUNDS} runs; the ratio is the median of the ratios.`,
);
table([
  {
    "logSize: 0": speeds.without,
    "the default": speeds.counted,
    ratio: speeds.ratio,
    "step back in ms": speeds.back,
  },
]);

limit("ms for a snapshot of the fleet, as JSON", snapshots.taken + snapshots.written, {
  most: SECOND,
});
limit("MB of that snapshot", snapshots.megabytes, { most: 30 });
limit("ms for the forks, each written to once", forks.made + forks.wrote, { most: 2 * SECOND });
finish();

/** Measures some rounds, and returns the median of each figure. */
async function rounds<Name extends string>(
  run: () => Promise<Record<Name, number>>,
): Promise<Record<Name, number>> {
  const all: Record<Name, number>[] = [];
  for (let round = 0; round < ROUNDS; round++) all.push(await run());
  const names = Object.keys(all[0] ?? {}) as Name[];
  return Object.fromEntries(
    names.map((name) => [name, median(all.map((figures) => figures[name]))]),
  ) as Record<Name, number>;
}

async function timed<T>(work: () => T | Promise<T>): Promise<[result: T, ms: number]> {
  const began = performance.now();
  const result = await work();
  return [result, performance.now() - began];
}

async function createFleet(count: number): Promise<Sandbox> {
  const sandbox = createSandbox({ console: { data: "empty", requestsPerMinute: Infinity } });
  const { id } = (await post(sandbox, "labels", { name: "Pumps" })) as { id: string };
  for (let first = 0; first < count; first += BATCH) {
    const devices = Array.from({ length: BATCH }, (_, index) => ({
      name: `Water meter ${first + index}`,
      dev_eui: hex(first + index, 16),
      app_eui: "70B3D57ED0000001",
      app_key: hex(first + index, 32),
      label_ids: [id],
    }));
    await post(sandbox, "devices", { devices });
  }
  return sandbox;
}

function hex(number: number, digits: number): string {
  return number.toString(16).toUpperCase().padStart(digits, "0");
}

async function post(sandbox: Sandbox, path: string, body: object): Promise<unknown> {
  const { baseUrl, fetch } = sandbox.console;
  const response = await fetch(`${baseUrl}/api/v1/${path}`, {
    method: "POST",
    headers: { key: sandbox.apiKey, "content-type": "application/json" },
    body: JSON.stringify(body),
  });
  if (!response.ok) throw new Error(`POST ${path} failed with ${response.status}.`);
  return response.json();
}

/** Sends requests, and goes back to before the last one, which repeats all others. */
async function requestsPerSecond(logSize: number): Promise<{ speed: number; back: number }> {
  const sandbox = createSandbox({ logSize, console: { requestsPerMinute: Infinity } });
  const { baseUrl, fetch } = sandbox.console;
  const headers = { key: sandbox.apiKey };
  const [, ms] = await timed(async () => {
    for (let request = 0; request < REQUESTS; request++)
      await (await fetch(`${baseUrl}/api/v1/labels`, { headers })).text();
  });
  const [, back] = await timed(() => (logSize === 0 ? undefined : sandbox.stepBack(REQUESTS)));
  return { speed: (REQUESTS * SECOND) / ms, back };
}
