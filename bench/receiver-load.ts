// Compares a receiver that has a memory store with bare node:http and createHmac: npm run bench -- receiver
import type { ChildProcess } from "node:child_process";
import { stringifyJson } from "@fieldmesh/core";
import { sign } from "@fieldmesh/webhook-types";
import { createReceiver, memoryStore } from "@fieldmesh/webhook-types/receiver";
import { sampleEvent } from "@fieldmesh/webhook-types/samples";
import autocannon from "autocannon";
import type { ServerTask } from "./receiver/server.ts";
import { nextMessage, startChild } from "./support/child.ts";
import { heapUsed, median } from "./support/measure.ts";
import { finish, limit, note, table } from "./support/report.ts";

const CONNECTIONS = [1, 50, 500];
/** Two processes of the same program can differ by a tenth for as long as they live. */
const PAIRS = 3;
const EVENTS = Number(process.argv[2] ?? 4_000);
const EVENTS_IN_MEMORY = Number(process.argv[3] ?? 200_000);
/** The store remembers this many events, so its memory may grow until then. */
const EVENTS_TO_FILL = 100_000;
const MEBIBYTE = 2 ** 20;

const secret = "whsec_bench";
const kinds = ["bare", "receiver"] as const;
type Kind = (typeof kinds)[number];

note(
  `CPU time of the server per event: medians of ${PAIRS} pairs of processes, ${EVENTS} events each after as many to warm up.`,
);
const rows = [];
for (const connections of CONNECTIONS) {
  const costs: Record<Kind, number[]> = { bare: [], receiver: [] };
  for (let pair = 0; pair < PAIRS; pair++) await measurePair(connections, costs);
  const [bare, receiver] = [median(costs.bare), median(costs.receiver)];
  rows.push({ connections, "bare µs": bare, "receiver µs": receiver, share: bare / receiver });
  limit(`speed at ${connections} connections, over bare`, bare / receiver, { least: 0.5 });
}
table(rows);
await measureMemory();
finish();

/** Loads two new processes, and adds what an event costs in each. */
async function measurePair(connections: number, costs: Record<Kind, number[]>): Promise<void> {
  const servers = { bare: await startServer("bare"), receiver: await startServer("receiver") };
  for (const kind of kinds) await load(servers[kind], connections);
  for (const kind of kinds) costs[kind].push(await load(servers[kind], connections));
  for (const { child } of Object.values(servers)) child.disconnect();
}

interface Server {
  readonly child: ChildProcess;
  readonly url: string;
}

async function startServer(kind: Kind): Promise<Server> {
  const child = startChild("receiver/server.ts", { kind, secret } satisfies ServerTask);
  return { child, url: `http://127.0.0.1:${await nextMessage<number>(child)}` };
}

/** Sends new events, and returns how many µs of CPU time the server needed for each. */
async function load({ child, url }: Server, connections: number): Promise<number> {
  const events = await Promise.all(Array.from({ length: EVENTS }, signedEvent));
  const rest = events.values();
  const before = await cpuTime(child);
  const {
    "2xx": accepted,
    non2xx,
    errors,
    timeouts,
  } = await autocannon({
    url,
    connections,
    amount: EVENTS,
    // Seconds; other programs may need the machine for longer than the 10 s of the default.
    timeout: 60,
    method: "POST",
    requests: [{ setupRequest: (request) => ({ ...request, ...rest.next().value }) }],
  });
  if (accepted !== EVENTS)
    throw new Error(
      `${accepted} events were accepted; ${non2xx} others had a response, ${errors} an error, ${timeouts} of these a timeout`,
    );
  return ((await cpuTime(child)) - before) / EVENTS;
}

async function cpuTime(child: ChildProcess): Promise<number> {
  child.send("cpu");
  return await nextMessage<number>(child);
}

async function signedEvent() {
  const id = `evt_${crypto.randomUUID()}`;
  const body = stringifyJson(sampleEvent("sim.activated", { id }), { reveal: true });
  return { body, headers: { ...(await sign({ secret, body })) } };
}

/** Compares the heap of a receiver that has a full store with the heap at the end. */
async function measureMemory(): Promise<void> {
  const receive = createReceiver({
    secret,
    store: memoryStore(),
    handlers: { "sim.activated": () => undefined },
  });
  const receiveEvents = async (count: number): Promise<number> => {
    for (let index = 0; index < count; index++) {
      const { status } = await receive.receive({ method: "POST", ...(await signedEvent()) });
      if (status !== 200) throw new Error(`status ${status}`);
    }
    return heapUsed() / MEBIBYTE;
  };
  const early = await receiveEvents(EVENTS_TO_FILL);
  const late = await receiveEvents(EVENTS_IN_MEMORY);
  note(
    `Heap after ${EVENTS_TO_FILL} events ${early.toFixed(1)} MiB, after ${EVENTS_IN_MEMORY} more ${late.toFixed(1)} MiB.`,
  );
  limit("growth of the heap after the store is full, MiB", late - early, { most: 4 });
}
