import { createServer } from "node:http";
import type { Redis } from "ioredis";
import type pg from "pg";
import type { createClient } from "redis";
import { expectTypeOf, test } from "vitest";
import * as z from "zod/mini";
import { toNodeHandler } from "../src/adapters/index.ts";
import type { UnknownEvent, WebhookEvent } from "../src/index.ts";
import { createEventParser, type ParsedMap } from "../src/parse/index.ts";
import {
  createQueueReceiver,
  createQueueWorker,
  type DeliveryJob,
  type EncryptionKey,
  type JobResult,
} from "../src/queue/index.ts";
import { createReceiver, noStore, type Receiver } from "../src/receiver/index.ts";
import type { EventContext } from "../src/router/index.ts";
import { postgresInbox, postgresStore, redisStore } from "../src/stores/index.ts";

declare const pool: pg.Pool;
declare const ioredis: Redis;
declare const redis: ReturnType<typeof createClient>;
declare const context: EventContext;
declare const key: EncryptionKey;
declare const job: DeliveryJob;

test("handlers receive their exact event and the context", () => {
  const receive = createReceiver({
    secret: "",
    store: noStore(),
    handlers: {
      "sim.activated": (event, given) => {
        expectTypeOf(event).toEqualTypeOf<WebhookEvent<"sim.activated">>();
        expectTypeOf(given).toEqualTypeOf<EventContext>();
      },
      otherwise: (event) => expectTypeOf(event).toEqualTypeOf<WebhookEvent | UnknownEvent>(),
    },
  });
  expectTypeOf(receive).toBeCallableWith(new Request("http://127.0.0.1"));
  createServer((req, res) => void toNodeHandler(receive)(req, res));
});

test("a missing store or option, and a misspelled key, do not compile", () => {
  // @ts-expect-error -- no store
  createReceiver({ secret: "", handlers: {} });
  // @ts-expect-error -- no such type
  createReceiver({ secret: "", store: noStore(), handlers: { "sim.activatd": () => {} } });
});

const schemas = { "plan.created": z.object({ price: z.number() }) };

test("a parser with the caller's schemas types the handlers", () => {
  createReceiver<ParsedMap<typeof schemas>>({
    secret: "",
    store: noStore(),
    parse: createEventParser(schemas),
    handlers: {
      "plan.created": ({ data }) => expectTypeOf(data.object).toEqualTypeOf<{ price: number }>(),
    },
  });
});

test("stores accept the clients directly, and an inbox returns their own transactions", () => {
  redisStore(ioredis);
  redisStore(redis);
  postgresStore(pool);
  expectTypeOf(postgresInbox(pool).transaction(context)).toEqualTypeOf<pg.PoolClient>();
});

test("a receiver with a queue serves the adapters, and accepts both clients of Redis", () => {
  const add = async (each: DeliveryJob) => each.id;
  const receive = createQueueReceiver({ secret: "", keys: [key], queue: { add, redis: ioredis } });
  createQueueReceiver({ secret: () => "", keys: [key], queue: { add, redis } });
  expectTypeOf(receive).toBeCallableWith(new Request("http://127.0.0.1"));
  expectTypeOf<Receiver["receive"]>().toEqualTypeOf(receive.receive);
  createServer((req, res) => void toNodeHandler(receive)(req, res));
});

test("what belongs to the other side, or is missing, does not compile", () => {
  // @ts-expect-error -- add must return a promise
  createQueueReceiver({ secret: "", keys: [key], queue: { add: () => undefined } });
  // @ts-expect-error -- no keys
  createQueueReceiver({ secret: "", queue: { add: async () => {} } });
  // @ts-expect-error -- handlers run in the worker
  createQueueReceiver({ secret: "", keys: [key], queue: { add: async () => {} }, handlers: {} });
  // @ts-expect-error -- a worker verifies nothing
  createQueueWorker({ secret: "", keys: [key], store: noStore(), handlers: {} });
  // @ts-expect-error -- no such type
  createQueueWorker({ keys: [key], store: noStore(), handlers: { "sim.activatd": () => {} } });
});

test("a worker types its handlers like a receiver, and resolves with an outcome that may be stored", () => {
  const work = createQueueWorker({
    keys: [key],
    store: noStore(),
    handlers: {
      "sim.activated": (event) =>
        expectTypeOf(event).toEqualTypeOf<WebhookEvent<"sim.activated">>(),
    },
  });
  expectTypeOf(work(job)).resolves.toEqualTypeOf<JobResult>();
  createQueueWorker<ParsedMap<typeof schemas>>({
    keys: [key],
    store: noStore(),
    parse: createEventParser(schemas),
    handlers: {
      "plan.created": ({ data }) => expectTypeOf(data.object).toEqualTypeOf<{ price: number }>(),
    },
  });
});
