// Verify, parse and dispatch beside bare node:crypto and the peers, in one process and interleaved: npm run bench:webhooks
import { createHmac, timingSafeEqual } from "node:crypto";
import { execFileSync } from "node:child_process";
import { parseJson, stringifyJson } from "@fieldmesh/core";
import { createVerifier, eventTypes, sign, standardWebhooks } from "@fieldmesh/webhook-types";
import { parseEvent } from "@fieldmesh/webhook-types/parse";
import { createEventRouter } from "@fieldmesh/webhook-types/router";
import { sampleEvent } from "@fieldmesh/webhook-types/samples";
import * as octokit from "@octokit/webhooks-methods";
import { Webhook as StandardWebhook } from "standardwebhooks";
import { Stripe } from "stripe";
import { Webhook as SvixWebhook } from "svix";
import { median } from "./median.ts";

// Short rounds and long ones, because each hides what the other shows. In a fixed order a case pays for what the one
// before it has left to collect: bare node:crypto measured 1.2 times itself, in another place of the same table.
const SIZES = [
  { calls: 100, rounds: 400, warmUp: 100 },
  { calls: 1_000, rounds: 200, warmUp: 40 },
];
const IMPORTS = 15;
/** Some 200 of each of 139 types: a process need not run for long to be as fast as this. */
const WARM_UP_CALLS = 30_000;

const secret = "whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw";
const event = sampleEvent("sim.activated", {
  data: { object: { metadata: { note: "x".repeat(350) } } },
});
const body = Buffer.from(stringifyJson(event, { reveal: true }));
// In one piece, as it comes from a socket.
const text = body.toString();
const platform = await sign({ secret, body });
const standard = await sign({ secret, body, scheme: standardWebhooks });
const header = platform["platform-signature"] ?? "";
const stripe = new Stripe("sk_test_nothing");
const svix = new SvixWebhook(secret);
const standardWebhook = new StandardWebhook(secret);
const octokitSignature = await octokit.sign(secret, text);
const verify = createVerifier({ secret });
const verifyStandard = createVerifier({ secret, scheme: standardWebhooks });
const router = createEventRouter({ "sim.activated": () => undefined, "*": () => undefined });
const texts = eventTypes.map((type) =>
  Buffer.from(stringifyJson(sampleEvent(type), { reveal: true })).toString(),
);
/** Each case goes through the types by itself, so that all of them meet the same ones in the same round. */
function inTurn(): () => string {
  let turn = 0;
  return () => texts[(turn += 1) % texts.length]!;
}
const [forNative, forOurs, forAll] = [inTurn(), inTurn(), inTurn()];

const cases: Record<string, () => unknown> = {
  "bare node:crypto + JSON.parse": () => bare(text),
  "bare, bytes": () => bare(body),
  "ours: verify + JSON": async () =>
    parseJson(String((await verify({ body: text, headers: platform })).body)),
  "ours: verify + parseEvent": async () =>
    parseEvent((await verify({ body: text, headers: platform })).body),
  "ours, bytes: verify + parseEvent": async () =>
    parseEvent((await verify({ body, headers: platform })).body),
  "ours, Standard Webhooks: verify + JSON": async () =>
    parseJson(String((await verifyStandard({ body: text, headers: standard })).body)),
  stripe: () => stripe.webhooks.constructEventAsync(text, header, secret),
  svix: () => svix.verify(text, standard),
  standardwebhooks: () => standardWebhook.verify(text, standard),
  "octokit + JSON.parse": async () =>
    (await octokit.verify(secret, text, octokitSignature)) && JSON.parse(text),
};
const parsing: Record<string, () => unknown> = {
  "JSON.parse, 139 types in turn": async () => JSON.parse(forNative()),
  "parseJson, 139 types in turn": async () => parseJson(forOurs()),
  // Awaited as it is, like the caller does: around its promise an `async` would put a second one.
  "parseEvent + dispatch, 139 types in turn": () => router.dispatch(parseEvent(forAll())),
  "parseJson, one type": async () => parseJson(texts[0]!),
  "parseEvent + dispatch, one type": () => router.dispatch(parseEvent(texts[0]!)),
};

let isMissed = false;
for (const size of SIZES) {
  const { calls, rounds, warmUp } = size;
  console.log(`${body.length} bytes, medians of ${rounds - warmUp} rounds of ${calls} calls\n`);
  const whole = await measure(cases, size);
  console.log();
  const parts = await measure(parsing, size);
  console.log();
  limits(whole, parts);
}
const imported = imports();
console.log();
limit(
  "import of the root, over 1.5 times node:crypto",
  imported("@fieldmesh/webhook-types") - 1.5 * imported("node:crypto"),
  1,
  "ms",
);
process.exitCode = isMissed ? 1 : 0;

type Medians = (name: string) => number;

/** The times of a table, round by round. */
interface Times {
  /** The median over the rounds of what two cases say of the same round, so that a slow minute counts for both. */
  compare(one: string, other: string, by: (one: number, other: number) => number): number;
}

/** What is asked of each figure, and whether it was met this time, on this machine. */
function limits(whole: Times, parts: Times): void {
  const overBare = (name: string, bareName = "bare node:crypto + JSON.parse"): number =>
    whole.compare(name, bareName, (ours, bareTime) => ours / bareTime);
  const over = (types: string): number =>
    parts.compare(
      `parseEvent + dispatch, ${types}`,
      `parseJson, ${types}`,
      (all, parsed) => all - parsed,
    );
  limit("verify + JSON, over bare", overBare("ours: verify + JSON"), 1.1, "x");
  limit("verify + parseEvent, over bare", overBare("ours: verify + parseEvent"), 1.25, "x");
  const ofBytes = overBare("ours, bytes: verify + parseEvent", "bare, bytes");
  limit("bytes: verify + parseEvent, over bare", ofBytes, 1.25, "x");
  limit("validate + dispatch one type, over the parse", over("one type"), 0.5, "µs");
  limit("validate + dispatch 139 types, over the parse", over("139 types in turn"), 0.5, "µs");
  console.log();
}

function limit(what: string, figure: number, most: number, unit: string): void {
  const verdict = figure <= most ? "met" : "NOT MET";
  isMissed ||= figure > most;
  console.log(`${what.padEnd(46)} ${figure.toFixed(2)} ${unit}, at most ${most}: ${verdict}`);
}

/** Prints a table of times, and gives the median of each of its rows. */
async function measure(
  table: Record<string, () => unknown>,
  { calls, rounds, warmUp }: (typeof SIZES)[number],
): Promise<Times> {
  const times = new Map(Object.keys(table).map((name) => [name, [] as number[]]));
  for (const call of Object.values(table)) for (let i = 0; i < WARM_UP_CALLS; i += 1) await call();
  for (let round = 0; round < rounds; round += 1) {
    for (const [name, call] of shuffled(Object.entries(table))) {
      const start = performance.now();
      for (let i = 0; i < calls; i += 1) await call();
      if (round >= warmUp) times.get(name)!.push((1000 * (performance.now() - start)) / calls);
    }
  }
  const first = median([...times.values()][0]!);
  for (const [name, all] of times)
    console.log(
      `${name.padEnd(42)} ${median(all).toFixed(2).padStart(7)} µs  ${(median(all) / first).toFixed(2).padStart(6)}`,
    );
  const of = (name: string): readonly number[] => times.get(name)!;
  return {
    compare: (one, other, by) => median(of(one).map((time, round) => by(time, of(other)[round]!))),
  };
}

function shuffled<T>(items: readonly T[]): T[] {
  return items
    .map((item) => ({ item, at: Math.random() }))
    .sort((a, b) => a.at - b.at)
    .map(({ item }) => item);
}

/** What a verifier would be with nothing around it. */
async function bare(received: string | Buffer): Promise<unknown> {
  const [, timestamp, signature = ""] = /^t=(\d+),v1=([0-9a-f]{64})$/.exec(header) ?? [];
  const mac = createHmac("sha256", secret).update(`${timestamp}.`).update(received).digest();
  if (!timingSafeEqual(mac, Buffer.from(signature, "hex"))) throw new Error("not verified");
  if (Math.abs(Date.now() / 1000 - Number(timestamp)) > 300) throw new Error("not now");
  return JSON.parse(received.toString());
}

/** How long an import takes in a process of its own. */
function imports(): Medians {
  const names = [
    "node:crypto",
    "@fieldmesh/webhook-types",
    "@fieldmesh/webhook-types/parse",
    "stripe",
    "svix",
    "standardwebhooks",
  ];
  const times = new Map(names.map((name) => [name, [] as number[]]));
  for (let round = 0; round < IMPORTS; round += 1) {
    for (const name of names) {
      const program = `const s = performance.now(); await import(${JSON.stringify(name)}); console.log(performance.now() - s)`;
      const printed = execFileSync(process.execPath, ["--input-type=module", "-e", program], {
        cwd: import.meta.dirname,
        encoding: "utf8",
      });
      times.get(name)!.push(Number(printed));
    }
  }
  for (const [name, all] of times)
    console.log(`import ${name.padEnd(35)} ${median(all).toFixed(2).padStart(7)} ms`);
  return (name) => median(times.get(name)!);
}
