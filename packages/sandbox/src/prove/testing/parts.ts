import {
  createVerifier,
  WebhookVerificationError,
  type EventEnvelope,
} from "@fieldmesh/webhook-types";
import { parseEvent } from "@fieldmesh/webhook-types/parse";
import {
  createReceiver,
  memoryStore,
  type Receiver,
  type ReceiverOptions,
} from "@fieldmesh/webhook-types/receiver";
import type { World } from "../world.ts";

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

/** Sends a mail once for each event. */
export function mail(world: World, event: EventEnvelope): Promise<void> {
  return world.effect("mail", event, { key: event.id });
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
