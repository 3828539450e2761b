// Compares verify, parse, dispatch and receivers with bare node:crypto, bare transactions and four peers: npm run bench -- webhooks
import { createHmac, timingSafeEqual } from "node:crypto";
import { existsSync } from "node:fs";
import { parseJson, stringifyJson } from "@fieldmesh/core";
import { createVerifier, eventTypes, sign, standardWebhooks } from "@fieldmesh/webhook-types";
import { parseEvent } from "@fieldmesh/webhook-types/parse";
import { memoryStore } from "@fieldmesh/webhook-types/receiver";
import { createEventRouter } from "@fieldmesh/webhook-types/router";
import { sampleEvent } from "@fieldmesh/webhook-types/samples";
import * as octokit from "@octokit/webhooks-methods";
import { Webhook as StandardWebhook } from "standardwebhooks";
import { Stripe } from "stripe";
import { Webhook as SvixWebhook } from "svix";
import { measureStores, measureWithoutSockets } from "./receiver/measure-stores.ts";
import { startPostgres } from "../tools/servers.ts";
import { FLOOR, handleWith, secret } from "./receiver/store-cases.ts";
import { measureTimes } from "./support/measure.ts";
import { finish, limit, note, table } from "./support/report.ts";

const TOLERANCE_SECONDS = 300;

const event = sampleEvent("sim.activated", {
  data: { object: { metadata: { note: "x".repeat(350) } } },
});
const body = Buffer.from(stringifyJson(event, { reveal: true }));
// A flat string, as a socket delivers it. V8 has yet to join the string that stringifyJson returns.
const bodyString = body.toString();
const headers = await sign({ secret, body });
const standardHeaders = await sign({ secret, body, scheme: standardWebhooks });
const signatureHeader = headers["platform-signature"] ?? "";
const stripe = new Stripe("sk_test_nothing");
const svix = new SvixWebhook(secret);
const standardWebhook = new StandardWebhook(secret);
const octokitSignature = await octokit.sign(secret, bodyString);
const verify = createVerifier({ secret });
const verifyStandard = createVerifier({ secret, scheme: standardWebhooks });
const router = createEventRouter({ "sim.activated": () => undefined, "*": () => undefined });
const bodies = eventTypes.map((type) =>
  Buffer.from(stringifyJson(sampleEvent(type), { reveal: true })).toString(),
);

const verifyTimes = await measureTimes({
  "bare node:crypto + JSON.parse": async () => verifyBare(bodyString),
  "bare, bytes": async () => verifyBare(body),
  "verify + JSON": async () =>
    parseJson(String((await verify({ body: bodyString, headers })).body)),
  "verify + parseEvent": async () => parseEvent((await verify({ body: bodyString, headers })).body),
  "verify + parseEvent, bytes": async () => parseEvent((await verify({ body, headers })).body),
  "verify + JSON, Standard Webhooks": async () =>
    parseJson(String((await verifyStandard({ body: bodyString, headers: standardHeaders })).body)),
  stripe: () => stripe.webhooks.constructEventAsync(bodyString, signatureHeader, secret),
  svix: () => svix.verify(bodyString, standardHeaders),
  standardwebhooks: () => standardWebhook.verify(bodyString, standardHeaders),
  "octokit + JSON.parse": async () =>
    (await octokit.verify(secret, bodyString, octokitSignature)) && JSON.parse(bodyString),
});
note(`An event of ${body.length} bytes, verified and parsed.`);
printTimes(verifyTimes, "bare node:crypto + JSON.parse");
const bareTime = verifyTimes["bare node:crypto + JSON.parse"];
limit("verify + JSON, over bare", verifyTimes["verify + JSON"] / bareTime, { most: 1.1 });
limit("verify + parseEvent, over bare", verifyTimes["verify + parseEvent"] / bareTime, {
  most: 1.25,
});
limit(
  "verify + parseEvent of bytes, over bare",
  verifyTimes["verify + parseEvent, bytes"] / verifyTimes["bare, bytes"],
  { most: 1.25 },
);

const receiveTimes = await measureWithoutSockets({
  "HMAC and JSON.parse": async (delivery) =>
    verifyBare(delivery.body, delivery.headers["platform-signature"]),
  "receive(), memoryStore": handleWith({ store: memoryStore() }),
});
note("New events, received without sockets. CPU time of each, 32 in progress.");
printTimes(receiveTimes, "HMAC and JSON.parse");
limit(
  "receive() of a new event, over HMAC and JSON.parse",
  receiveTimes["receive(), memoryStore"] / receiveTimes["HMAC and JSON.parse"],
  { most: 3.6 },
);

const [nextForNative, nextForParse, nextForDispatch] = [inTurn(), inTurn(), inTurn()];
const parseTimes = await measureTimes({
  "JSON.parse, 139 types in turn": async () => JSON.parse(nextForNative()),
  "parseJson, 139 types in turn": async () => parseJson(nextForParse()),
  "parseEvent + dispatch, 139 types in turn": () => router.dispatch(parseEvent(nextForDispatch())),
});
note("Events, parsed and dispatched.");
printTimes(parseTimes, "JSON.parse, 139 types in turn");
limit(
  "parseEvent + dispatch over parseJson, 139 types in turn",
  parseTimes["parseEvent + dispatch, 139 types in turn"] /
    parseTimes["parseJson, 139 types in turn"],
  { most: 2.6 },
);

const postgres = await startPostgres({ isDurable: true });
if (postgres.url === undefined) {
  note(`PostgreSQL is skipped: ${postgres.missing}`);
} else {
  try {
    if (existsSync("/proc/self/schedstat")) await compareStores(postgres.url);
    else note("PostgreSQL is skipped: this system has no /proc/self/schedstat.");
  } finally {
    await postgres.stop();
  }
}
finish();

async function compareStores(url: string): Promise<void> {
  const costs = await measureStores(url);
  const floor = costs[FLOOR];
  const rows = Object.entries(costs).map(([name, cost]) => ({
    case: name,
    "round trips": cost.roundTrips,
    speed: cost.perSecond / floor.perSecond,
    "process CPU": cost.processCpu / floor.processCpu,
    "database CPU": cost.databaseCpu / floor.databaseCpu,
    commits: cost.commits,
    "WAL syncs": cost.walSyncs,
  }));
  note(
    `Receivers of new events with stores in a PostgreSQL that writes to disk, without sockets and with handlers that do nothing. 32 are in progress, on a pool of 32. Speed and CPU are ratios to ${FLOOR}: ${Math.round(floor.perSecond)} deliveries per second, ${Math.round(floor.processCpu)} µs of this process and ${Math.round(floor.databaseCpu)} µs of the database. Round trips are those of one delivery alone; commits and WAL syncs are those of each of many.`,
  );
  table(rows);
  const { inbox, "inbox, order": ordered, "lease store": leases } = costs;
  limit("round trips, inbox", inbox.roundTrips, { most: 2 });
  limit("round trips, inbox and order", ordered.roundTrips, { most: 3 });
  limit("round trips, inbox, order and poison", costs["inbox, order, poison"].roundTrips, {
    most: 3,
  });
  limit("round trips, lease store and order", costs["lease store, order"].roundTrips, { most: 2 });
  limit("commits per event, lease store", leases.commits, { most: 0.25 });
  limit("WAL syncs per event, lease store", leases.walSyncs, { most: 0.2 });
  limit("CPU of the process, inbox over floor", inbox.processCpu / floor.processCpu, { most: 1.6 });
  limit("CPU of the database, inbox over floor", inbox.databaseCpu / floor.databaseCpu, {
    most: 1.9,
  });
  limit("deliveries per second, inbox and order over floor", ordered.perSecond / floor.perSecond, {
    least: 0.4,
  });
}

/** Returns a function that iterates over the types, so that each case uses all of them. */
function inTurn(): () => string {
  let turn = 0;
  return () => bodies[(turn += 1) % bodies.length]!;
}

/** A verifier written without a library. */
function verifyBare(received: string | Buffer, header = signatureHeader): unknown {
  const [, timestamp, signature = ""] = /^t=(\d+),v1=([0-9a-f]{64})$/.exec(header) ?? [];
  const mac = createHmac("sha256", secret).update(`${timestamp}.`).update(received).digest();
  if (!timingSafeEqual(mac, Buffer.from(signature, "hex"))) throw new Error("not verified");
  if (Math.abs(Date.now() / 1_000 - Number(timestamp)) > TOLERANCE_SECONDS)
    throw new Error("outside the tolerance");
  return JSON.parse(received.toString());
}

function printTimes<Name extends string>(times: Readonly<Record<Name, number>>, base: Name): void {
  table(
    Object.entries<number>(times).map(([name, µs]) => ({
      case: name,
      µs,
      ratio: µs / times[base],
    })),
  );
}
