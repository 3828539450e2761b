import * as z from "zod/mini";
import { options as createReader } from "@fieldmesh/core/internal";
import { canaries } from "../../../tools/canaries/canaries.ts";
import { guess, observed, record, secret, secretInput } from "@fieldmesh/core/internal/schema";
import {
  bind,
  createTransport,
  data,
  endpoint,
  page,
  text,
  type ClientOptions,
  type EachOptions,
  type Hooks,
  type KeyOption,
  type Methods,
  type Service,
  type Transport,
} from "../src/internal.ts";
import { eachRecord } from "../src/client/each-record.ts";
import { createPager } from "../src/pager.ts";
import { clientTable } from "../src/options/client-options.ts";

// A small service with one row of every kind: what the tests prove here applies to all clients.

const thingFields = record({
  id: z.int(),
  name: z.string(),
  key: z.optional(secret()),
  /** Not in the contract. */
  color: guess(z.nullish(z.string())),
});

/** A thing. */
export interface Thing extends z.output<typeof thingFields> {}
export const Thing: z.core.$ZodType<Thing, z.input<typeof thingFields>> = thingFields;

export const thing = { id: 1, name: "one" };
const LONGEST_NAME = 50;
const named = z.strictObject({
  name: observed(
    z
      .string()
      .check(
        z.minLength(1, "must not be empty"),
        z.maxLength(LONGEST_NAME, `must have at most ${LONGEST_NAME} characters`),
      ),
    z.string().check(z.minLength(1, "must not be empty")),
  ),
  key: z.optional(secretInput(z.string().check(z.minLength(4, "must have at least 4 characters")))),
});

const things = {
  /** List things. */
  list: endpoint("GET /v1/things", {
    result: z.array(Thing),
  }),
  /** Find things. */
  find: endpoint("GET /v1/things/search", {
    query: { name: z.string(), limit: z.optional(z.int()) },
    result: z.array(Thing),
    open: true,
  }),
  /** Look a thing up: the record is documented, as that of `find` is not. */
  lookUp: endpoint("GET /v1/things/look-up", {
    query: { name: z.string() },
    result: Thing,
  }),
  /** Get a thing. */
  get: endpoint("GET /v1/things/:name", {
    path: { name: z.string() },
    result: data(Thing),
    errors: { 404: "Thing not found" },
  }),
  /** Create a thing. */
  create: endpoint("POST /v1/things", {
    body: named,
    result: Thing,
    status: 201,
    open: true,
    errors: { 422: "The thing was not accepted" },
  }),
  /** Create a thing under an idempotency key. */
  createOnce: endpoint("POST /v1/things/once", {
    body: named,
    result: Thing,
    idempotencyKey: true,
  }),
  /** Update a thing. */
  update: endpoint("PUT /v1/things/:name", {
    path: { name: z.string() },
    body: z.strictObject({ size: z.number() }),
    result: Thing,
  }),
  /** Delete a thing. */
  delete: endpoint("DELETE /v1/things/:name", {
    path: { name: z.string() },
    result: text(),
    errors: { 404: "Thing not found" },
  }),
  /** Walk all things. */
  walk: endpoint("GET /v1/things/all", {
    query: { cursor: z.optional(z.string()), kind: z.optional(z.string()) },
    result: page(Thing),
  }),
};

/** Methods of things. */
export interface Things extends Methods<typeof things> {}

/** A secret that the tests of failures search for. */
export const API_KEY = canaries.apiKey;

const service: Service = {
  name: "the service of things",
  readError: ({ status }, meaning) => ({
    message: meaning ?? (status === 400 ? "the request was refused" : undefined),
  }),
  readRetryHint: ({ body }) =>
    Number(/"come_back_in_ms":(\d+)/.exec(body)?.[1] ?? Number.NaN) || undefined,
  isInFlight: ({ status }) => status === 409,
};

export type ThingsOptions = Partial<ClientOptions> & {
  apiKey?: KeyOption;
  service?: Partial<Service>;
  trustIdempotencyKeys?: boolean;
  keyedWrites?: boolean;
  /** The client that the new client shares its state with. */
  parent?: Transport;
};

/** Creates a client of things whose retries wait almost no time. */
export function createThings(options: ThingsOptions = {}): Things {
  return bind("things", things, createThingsTransport(options), createPager);
}

/** Creates the transport of a client of things. */
export function createThingsTransport(options: ThingsOptions = {}): Transport {
  const {
    apiKey = API_KEY,
    service: own,
    trustIdempotencyKeys,
    keyedWrites,
    parent,
    ...rest
  } = options;
  return createTransport(
    readOptions({ baseUrl: "https://things.test", retry: { baseDelay: 1, maxDelay: 2 }, ...rest }),
    {
      service: { ...service, ...own },
      credential: { option: "apiKey", header: "key", value: apiKey },
      userAgent: "things-test/1.0",
      trustIdempotencyKeys,
      keyedWrites,
      parent,
    },
  );
}

const readOptions = createReader<ClientOptions>("createThings", clientTable);

/** Reads the list of things one by one. */
export function eachThing(options: ThingsOptions = {}, each?: EachOptions): AsyncIterable<Thing> {
  const list = { endpoint: { call: "things.each", row: things.list }, record: Thing };
  const transport = createThingsTransport(options);
  return { [Symbol.asyncIterator]: () => eachRecord<Thing>(transport, list, each ?? {}) };
}

/** Creates a signal and hooks that abort a call in the wait after its first response. */
export function abortAfterResponse(reason?: unknown): { signal: AbortSignal; hooks: Hooks } {
  const controller = new AbortController();
  // The wait begins in the turn of the event loop that runs the hook.
  const onResponse = (): void => void setTimeout(() => controller.abort(reason), 10);
  return { signal: controller.signal, hooks: { onResponse } };
}

/** Returns the error that a call rejects with, and throws if the call succeeds. */
export async function errorOf<E = Error>(call: PromiseLike<unknown>): Promise<E> {
  const outcome = await call.then(
    () => undefined,
    (error: unknown) => ({ error }),
  );
  if (outcome === undefined) throw new Error("the call was expected to fail");
  return outcome.error as E;
}
