import { DatabaseSync } from "node:sqlite";
import pg from "pg";
import { expect, test } from "vitest";
import { toFastifyPlugin } from "../src/adapters/index.ts";
import { explain } from "../src/explain/explain.ts";
import { createVerifier, sign, signedRequest } from "../src/index.ts";
import { postgresMirror, sqliteMirror } from "../../mirror/src/index.ts";
import { createEventParser, parseEvent } from "../src/parse/index.ts";
import { createQueueReceiver, createQueueWorker } from "../src/queue/index.ts";
import {
  createReceiver,
  handleEvent,
  memoryOrder,
  memoryPoison,
  memoryStore,
  runAgain,
} from "../src/receiver/index.ts";
import { createEventRouter } from "../src/router/index.ts";
import { sampleEvent, testContext } from "../src/samples.ts";
import {
  postgresInbox,
  postgresOrder,
  postgresPoison,
  postgresStore,
  redisOrder,
  redisStore,
  sqliteInbox,
  sqliteOrder,
  sqlitePoison,
  sqliteStore,
} from "../src/stores/index.ts";
import { migrationOf } from "../../../tools/testing/mirrors.ts";

const database = new DatabaseSync(":memory:");
database.exec(migrationOf("sqlite"));
const pool = new pg.Pool();
const nothing = () => Promise.resolve();
const redis = { sendCommand: nothing, connect: nothing, destroy: nothing } as never;
const event = sampleEvent("plan.created");
const secret = "whsec_of_a_test";
const handlers = {};
const router = createEventRouter(handlers);
const store = memoryStore();
const key = await crypto.subtle.importKey("raw", new Uint8Array(32), "AES-GCM", false, [
  "encrypt",
  "decrypt",
]);
/** Too far from every option for a suggestion. */
const odd = { qqqqqqqqqqqq: 1 } as never;
const and = (options: object) => ({ ...options, ...(odd as object) }) as never;

const DELIVERY = "secret, secrets, scheme, tolerance, expectLivemode, maxBytes";
const HANDLING = "store, order, lease, poison, handlers, parse, validation, onDrift";
const REPORTS = "clock, onOutcome, logger, onError";

const calls: readonly (readonly [owner: string, names: string, call: () => unknown])[] = [
  ["memoryStore", "limit, clock", () => memoryStore(odd)],
  ["memoryOrder", "limit", () => memoryOrder(odd)],
  ["memoryPoison", "payload, limit, clock", () => memoryPoison(odd)],
  ["sqliteStore", "table, retention, clock", () => sqliteStore(database, odd)],
  ["sqliteInbox", "table, retention, clock", () => sqliteInbox(database, odd)],
  ["sqliteOrder", "table, retention, clock", () => sqliteOrder(database, odd)],
  ["sqlitePoison", "payload, table, retention, clock", () => sqlitePoison(database, odd)],
  ["sqliteMirror", "personal, undeclared", () => sqliteMirror(database, odd)],
  ["postgresStore", "table, retention", () => postgresStore(pool, odd)],
  ["postgresInbox", "table, retention", () => postgresInbox(pool, odd)],
  ["postgresOrder", "table, retention", () => postgresOrder(pool, odd)],
  ["postgresPoison", "payload, table, retention", () => postgresPoison(pool, odd)],
  ["postgresMirror", "personal, undeclared", () => postgresMirror(pool, odd)],
  ["redisStore", "prefix, retention", () => redisStore(redis, odd)],
  ["redisOrder", "prefix, retention", () => redisOrder(redis, odd)],
  [
    "A receiver",
    `${DELIVERY}, ${HANDLING}, ${REPORTS}`,
    () => createReceiver(and({ secret, store, handlers })),
  ],
  [
    "poison",
    "store, attempts, reload",
    () => createReceiver({ secret, store, handlers, poison: and({ store: memoryPoison() }) }),
  ],
  [
    "createQueueReceiver",
    `${DELIVERY}, ${REPORTS}, keys, name, queue`,
    () => createQueueReceiver(and({ secret, queue: { add: () => {} }, keys: [key] })),
  ],
  [
    "queue",
    "add, redis",
    () => createQueueReceiver({ secret, queue: and({ add: () => {} }), keys: [key] }),
  ],
  [
    "createQueueWorker",
    `${HANDLING}, ${REPORTS}, keys, name, expectLivemode, maxAge`,
    () => createQueueWorker(and({ store, handlers, keys: [key] })),
  ],
  [
    "handleEvent",
    "router, store, order, lease, clock, poison, tenant, parse",
    () => handleEvent(event, and({ router, store })),
  ],
  [
    "runAgain",
    "router, store, order, lease, clock, poison, tenant, parse",
    () => runAgain("evt_1", and({ router, store, poison: { store: memoryPoison() } })),
  ],
  ["createEventParser", "validation, onDrift, source", () => createEventParser({}, odd)],
  ["parseEvent", "validation, onDrift, source", () => parseEvent(event, odd)],
  ["verify of a mirror", "tenant, clock", () => sqliteMirror(database).verify([], odd)],
  [
    "explain",
    "secret, secrets, scheme, tolerance, now, otherSecrets",
    () => explain(and({ secret }), { body: "", headers: {} }),
  ],
  ["sign", "secret, body, scheme, timestamp, id", () => sign(and({ secret, body: "{}" }))],
  [
    "signedRequest",
    "secret, scheme, timestamp, id, url",
    () => signedRequest(event, and({ secret, url: "http://127.0.0.1/hooks" })),
  ],
  [
    "toFastifyPlugin",
    "path",
    () => toFastifyPlugin(createReceiver({ secret, store, handlers }), odd),
  ],
  [
    "testContext",
    "idempotencyKey, attempt, delivery, signal, order, tenant",
    () => testContext(odd),
  ],
  ["A verifier", "secret, secrets, scheme, tolerance, now", () => createVerifier(and({ secret }))],
];

test("runAgain says what it needs", async () => {
  await expect(runAgain("evt_1", undefined as never)).rejects.toThrow(
    /^runAgain .*\{ router, store, poison \}/,
  );
});

test.each(calls)("%s names its options: %s", async (owner, names, call) => {
  await expect((async () => call())()).rejects.toThrow(
    `${owner} has no option "qqqqqqqqqqqq". Its options are ${names}.`,
  );
});
