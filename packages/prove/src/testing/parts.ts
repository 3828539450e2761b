import { getOrInsertComputed, timeOfStamp } from "@fieldmesh/core/internal";
import {
  createVerifier,
  sourceOf,
  WebhookVerificationError,
  type EventEnvelope,
} from "@fieldmesh/webhook-types";
import { parseEvent } from "@fieldmesh/webhook-types/parse";
import {
  createReceiver,
  handleEvent,
  memoryStore,
  type Receiver,
  type ReceiverOptions,
} from "@fieldmesh/webhook-types/receiver";
import { createEventRouter } from "@fieldmesh/webhook-types/router";
import type { Subject, Build } from "../subject.ts";
import type { World } from "../world.ts";
import { expect } from "vitest";
import { ProofError } from "../proof-error.ts";
import { proveReceiver } from "../prove-receiver.ts";
import type { Calls } from "../calls.ts";

/** A receiver without a library: it verifies, parses, and calls `handle`, which returns a status. */
export function byHand(
  { secrets, clock }: World,
  handle: (event: EventEnvelope) => Promise<number>,
  { tolerance = 300, secret = secrets as (() => readonly string[]) | string } = {},
): (request: Request) => Promise<Response> {
  const verify = createVerifier({ secret, tolerance, now: () => clock.now() });
  return async (request) => {
    try {
      const { body } = await verify({ body: await request.text(), headers: request.headers });
      return new Response(null, { status: await handle(parseEvent(body)) });
    } catch (error) {
      return new Response(null, { status: error instanceof WebhookVerificationError ? 401 : 500 });
    }
  };
}

/** A table of the ids that are done. */
export interface Ids {
  has(id: string): boolean | Promise<boolean>;
  add(id: string): unknown;
}

/** Returns the table of the database, or one that is simulated. */
export function idsIn(world: World & { readonly ids?: Ids }): Ids {
  return world.ids ?? world.survives("ids", () => new Set<string>());
}

/** A receiver of this library that prints nothing. By default, its store survives crashes. */
export function receiver(
  world: World,
  options: Partial<ReceiverOptions> & Pick<ReceiverOptions, "handlers">,
): Receiver {
  const store = options.store ?? world.store(() => memoryStore({ clock: world.clock }));
  const { secrets: secret, clock } = world;
  return createReceiver({
    secret,
    clock,
    onError: () => {},
    onOutcome: () => {},
    ...options,
    store,
  });
}

/** A receiver and a catch-up with one store. It handles the stored events that `selects` names, and mails no code that it does not have. */
export function catchingUp(world: World, selects: (event: EventEnvelope) => boolean): Subject {
  const { clock } = world;
  const store = world.store(() => memoryStore({ clock }));
  const handle = async (event: EventEnvelope) => {
    if (event.type === "sim.activated" && sourceOf(event) === "store") return;
    await mail(world, event);
  };
  const router = createEventRouter({ "sim.*": handle });
  return {
    receive: receiver(world, { store, handlers: { "sim.*": handle } }),
    catchUp: async () => {
      const { data } = (await (await world.mobile.fetch()).json()) as { data: unknown[] };
      const events = data.map((stored) => parseEvent(stored, { source: "store" }));
      for (const event of events.filter(selects))
        await handleEvent(event, { router, store, clock });
    },
  };
}

/** Sends a mail once for each event. */
export function mail(world: World, event: EventEnvelope): Promise<void> {
  return world.effect("mail", event, { key: event.id });
}

/** Returns when an event counts: what is from the future, or has no time, counts from the first time that it is seen. */
export function countedTime(world: World, { id, created_at }: EventEnvelope): number {
  const claims = world.survives("first claims", () => new Map<string, number>());
  const now = world.clock.now();
  const created = timeOfStamp(created_at);
  if (!claims.has(id) && created <= now + 300_000) return created;
  return getOrInsertComputed(claims, id, () => now);
}

/** Returns a function that keeps the newer one of the event that a row shows and this one. */
export function keepNewest(world: World, event: EventEnvelope) {
  const time = countedTime(world, event);
  return (shown: EventEnvelope | undefined): EventEnvelope =>
    shown === undefined || countedTime(world, shown) <= time ? event : shown;
}

export function objectOf({ data }: EventEnvelope): string {
  return String((data["object"] as { id: unknown }).id);
}

/** Each way in which a user's rule says that it is broken: what it does, the rule, and the sentence that is shown. */
export const brokenRules: readonly [what: string, rule: () => unknown, problem: string][] = [
  ["rejects", () => Promise.reject(new RangeError("too many")), "RangeError: too many"],
  [
    "throws",
    () => {
      throw new Error("no table");
    },
    "Error: no table",
  ],
  ["returns a sentence", () => "wrong.", "wrong."],
  ["resolves with a sentence", async () => "wrong.", "wrong."],
];

export const events = ["sim.activated", "sim.suspended"] as const;

/** Returns what a search finds wrong with a receiver. */
export async function find(build: Build, seed: number, runs: number): Promise<ProofError> {
  const error: unknown = await proveReceiver(build, { events, seed, runs }).catch(
    (thrown: unknown) => thrown,
  );
  if (error instanceof ProofError) return error;
  throw new Error("nothing was found", { cause: error });
}

/** Fails if searches with one seed differ. */
export async function expectSameResult(build: Build, searches: number): Promise<void> {
  const messages = new Set<string>();
  for (let round = 0; round < searches; round++) messages.add((await find(build, 3, 100)).message);
  expect([...messages]).toHaveLength(1);
}

/** Calls that nothing goes wrong with, which are recorded. `end` ends their process. */
export function recordCalls(own: Partial<Calls> = {}) {
  const labels: string[] = [];
  const ends: (() => void)[] = [];
  const calls: Calls = {
    cross: async (_label, call) => await call(),
    query: async (label, call) => {
      labels.push(label);
      return await call();
    },
    now: (label, call) => {
      labels.push(label);
      return call();
    },
    died: new Promise(() => {}),
    hasDied: false,
    atEnd: (work) => void ends.push(work),
    ...own,
  };
  return { calls, labels, end: () => ends.forEach((work) => work()) };
}
