// A receiver with a memory store beside bare node:http with JSON.parse, each in a process of its own: npm run bench:receiver
import { execFileSync, fork, spawnSync, type ChildProcess } from "node:child_process";
import { once } from "node:events";
import { availableParallelism } from "node:os";
import { join } from "node:path";
import { stringifyJson } from "@fieldmesh/core";
import { sign } from "@fieldmesh/webhook-types";
import { sampleEvent } from "@fieldmesh/webhook-types/samples";
import { median } from "./median.ts";
import { byClient, bySockets, type Delivery, type Sender } from "./receiver/senders.ts";

const CONNECTIONS = [1, 50, 500];
/** Pairs of processes, because two of the same program may differ by a tenth for as long as they live. */
const PAIRS = 5;
const ROUNDS = 3;
const WARM_UP = 3;
const PER_ROUND = Number(process.argv[2] ?? 10_000);
const EVENTS_IN_MEMORY = Number(process.argv[3] ?? 1_000_000);
const LEAST_SHARE = 0.6;
const MIB = 2 ** 20;
/** What the heap may be larger at the end than after the first tenth. */
const GROWTH = 16 * MIB;

const secret = "whsec_bench";
const file = join(import.meta.dirname, "receiver", "server.ts");
/** Leaves the other cores to the sender. */
const canPin = availableParallelism() > 1 && spawnSync("taskset", ["-V"]).status === 0;
let isWrong = false;

console.log(
  `${PER_ROUND} events a round, medians of ${PAIRS} pairs of processes with ${ROUNDS} rounds each\n`,
);
console.log("CPU time of the server for an event, sent as services send: by node:http's client");
await compare(byClient, ({ cpu }) => cpu);
console.log(
  `Time for an event of a server ${canPin ? "on one core" : "that is not bound to a core"} and always busy, sent by sockets that never sleep`,
);
await compare(bySockets, ({ wall }) => wall);
await compareMemory();
console.log(isWrong ? "not as promised" : "as promised");
process.exitCode = isWrong ? 1 : 0;

/** What an event took, in µs: of the wall clock, and of the server's CPU. */
interface Cost {
  readonly wall: number;
  readonly cpu: number;
}

/** Prints what both servers take for an event, at each number of connections. */
async function compare(send: Sender, of: (cost: Cost) => number): Promise<void> {
  console.log("connections  bare µs/event  receiver µs/event  share");
  for (const connections of CONNECTIONS) {
    const costs: Costs = { bare: [], receiver: [] };
    for (let pair = 0; pair < PAIRS; pair += 1) await measurePair(send, connections, costs);
    const [bare, receiver] = [median(costs.bare.map(of)), median(costs.receiver.map(of))];
    const share = bare / receiver;
    isWrong ||= share < LEAST_SHARE;
    console.log(
      `${String(connections).padStart(11)}  ${bare.toFixed(1).padStart(13)}  ${receiver.toFixed(1).padStart(17)}  ${share.toFixed(2)}`,
    );
  }
  console.log(`at least ${LEAST_SHARE} is promised\n`);
}

interface Costs {
  readonly bare: Cost[];
  readonly receiver: Cost[];
}

/** Adds what two new processes take, which are asked by turns. */
async function measurePair(send: Sender, connections: number, costs: Costs): Promise<void> {
  const servers = { bare: await start("bare"), receiver: await start("receiver") };
  for (let round = 0; round < WARM_UP + ROUNDS; round += 1) {
    for (const kind of ["bare", "receiver"] as const) {
      const cost = await load(servers[kind], send, connections);
      if (round >= WARM_UP) costs[kind].push(cost);
    }
  }
  for (const { child } of Object.values(servers)) child.kill();
}

/** Prints the heap of a receiver that is asked in its own process, without sockets. */
async function compareMemory(): Promise<void> {
  const { child } = await start("receiver");
  const early = await ask(child, `memory ${EVENTS_IN_MEMORY / 10}`);
  const late = await ask(child, `memory ${(EVENTS_IN_MEMORY * 9) / 10}`);
  child.kill();
  isWrong ||= late - early > GROWTH;
  console.log(
    `heap after ${EVENTS_IN_MEMORY / 10} events ${(early / MIB).toFixed(1)} MiB, after ${EVENTS_IN_MEMORY} ${(late / MIB).toFixed(1)} MiB`,
  );
}

interface Started {
  readonly child: ChildProcess;
  readonly port: number;
}

async function start(kind: string): Promise<Started> {
  const child = fork(file, [kind, secret], { execArgv: ["--expose-gc"] });
  const [port] = (await once(child, "message")) as [number];
  // With all its threads, the collector's too.
  if (canPin) execFileSync("taskset", ["-acp", "0", String(child.pid)], { stdio: "ignore" });
  return { child, port };
}

/** Sends a round of new events, and asks the server for its CPU time before and after. */
async function load({ child, port }: Started, send: Sender, connections: number): Promise<Cost> {
  const deliveries = await Promise.all(Array.from({ length: PER_ROUND }, newDelivery));
  const before = await ask(child, "cpu");
  const seconds = await send(port, deliveries, connections);
  const after = await ask(child, "cpu");
  return { wall: (1e6 * seconds) / PER_ROUND, cpu: (after - before) / PER_ROUND };
}

async function ask(child: ChildProcess, what: string): Promise<number> {
  child.send(what);
  const [answer] = (await once(child, "message")) as [number];
  return answer;
}

async function newDelivery(): Promise<Delivery> {
  const id = `evt_${crypto.randomUUID()}`;
  const body = stringifyJson(sampleEvent("sim.activated", { id }), { reveal: true });
  return { body, headers: await sign({ secret, body }) };
}
