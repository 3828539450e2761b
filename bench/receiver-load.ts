// A receiver with a memory store beside bare node:http with JSON.parse, each in a process of its own: npm run bench:receiver
import { fork, type ChildProcess } from "node:child_process";
import { once } from "node:events";
import { Agent, request } from "node:http";
import { join } from "node:path";
import { stringifyJson } from "@fieldmesh/core";
import { sign } from "@fieldmesh/webhook-types";
import { sampleEvent } from "@fieldmesh/webhook-types/samples";

const CONNECTIONS = [1, 50, 500];
const ROUNDS = 9;
const WARM_UP = 3;
const PER_ROUND = Number(process.argv[2] ?? 10_000);
const EVENTS_IN_MEMORY = Number(process.argv[3] ?? 1_000_000);
const LEAST_SHARE = 0.6;
const MIB = 2 ** 20;
/** What the heap may be larger at the end than after the first tenth. */
const GROWTH = 16 * MIB;

const secret = "whsec_bench";
const file = join(import.meta.dirname, "receiver", "server.ts");
let isWrong = false;

console.log(
  `${PER_ROUND} events a round, the median of ${ROUNDS} rounds of CPU time of the server\n`,
);
console.log("connections  bare µs/event  receiver µs/event  share");
for (const connections of CONNECTIONS) {
  const times = { bare: [] as number[], receiver: [] as number[] };
  const servers = { bare: await start("bare"), receiver: await start("receiver") };
  for (let round = 0; round < WARM_UP + ROUNDS; round += 1) {
    for (const kind of ["bare", "receiver"] as const) {
      const used = await load(servers[kind], connections);
      if (round >= WARM_UP) times[kind].push(used / PER_ROUND);
    }
  }
  for (const { child } of Object.values(servers)) child.kill();
  const [bare, receiver] = [median(times.bare), median(times.receiver)];
  isWrong ||= bare / receiver < LEAST_SHARE;
  console.log(
    `${String(connections).padStart(11)}  ${bare.toFixed(1).padStart(13)}  ${receiver.toFixed(1).padStart(17)}  ${(bare / receiver).toFixed(2)}`,
  );
}

const [early, late] = await memory();
isWrong ||= late - early > GROWTH;
console.log(
  `\nheap after ${EVENTS_IN_MEMORY / 10} events ${(early / MIB).toFixed(1)} MiB, after ${EVENTS_IN_MEMORY} ${(late / MIB).toFixed(1)} MiB`,
);
console.log(isWrong ? "not as promised" : "as promised");
process.exitCode = isWrong ? 1 : 0;

interface Started {
  readonly child: ChildProcess;
  readonly port: number;
}

async function start(kind: string): Promise<Started> {
  const child = fork(file, [kind, secret], { execArgv: ["--expose-gc"] });
  const [port] = (await once(child, "message")) as [number];
  return { child, port };
}

/** Asks the server for its CPU time in µs before and after, so that the sender's own does not count. */
async function load({ child, port }: Started, connections: number): Promise<number> {
  const bodies = await Promise.all(Array.from({ length: PER_ROUND }, newDelivery));
  const agent = new Agent({ keepAlive: true, maxSockets: connections });
  const before = await ask(child, "cpu");
  const send = async (): Promise<void> => {
    for (let next = bodies.pop(); next !== undefined; next = bodies.pop())
      await post(agent, port, next);
  };
  await Promise.all(Array.from({ length: connections }, send));
  const after = await ask(child, "cpu");
  agent.destroy();
  return after - before;
}

async function ask(child: ChildProcess, what: string): Promise<number> {
  child.send(what);
  const [answer] = (await once(child, "message")) as [number];
  return answer;
}

async function newDelivery() {
  const id = `evt_${crypto.randomUUID()}`;
  const body = stringifyJson(sampleEvent("sim.activated", { id }), { reveal: true });
  return { body, headers: await sign({ secret, body }) };
}

function post(
  agent: Agent,
  port: number,
  { body, headers }: Awaited<ReturnType<typeof newDelivery>>,
) {
  return new Promise<void>((resolve, reject) => {
    const outgoing = request({ agent, port, host: "127.0.0.1", method: "POST", headers });
    outgoing.on("error", reject);
    outgoing.on("response", (answer) => {
      answer
        .resume()
        .on("end", () =>
          answer.statusCode === 200
            ? resolve()
            : reject(new Error(`answered ${answer.statusCode}`)),
        );
    });
    outgoing.end(body);
  });
}

/** The heap of a receiver that is asked in its own process, without sockets. */
async function memory(): Promise<[number, number]> {
  const { child } = await start("receiver");
  const first = await ask(child, `memory ${EVENTS_IN_MEMORY / 10}`);
  const rest = await ask(child, `memory ${(EVENTS_IN_MEMORY * 9) / 10}`);
  child.kill();
  return [first, rest];
}

function median(values: readonly number[]): number {
  return values.toSorted((a, b) => a - b)[Math.floor(values.length / 2)] ?? 0;
}
