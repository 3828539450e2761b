import {
  createVerifier,
  isWebhookVerificationError,
  type EventEnvelope,
} from "@fieldmesh/webhook-types";
import { parseEvent } from "@fieldmesh/webhook-types/parse";
import type { World } from "../world.ts";

/** A receiver as people write it without a library: verifies, parses, and leaves the rest to `handle`, which returns a status. */
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
      return new Response(null, { status: isWebhookVerificationError(error) ? 401 : 500 });
    }
  };
}

/** A set in a simulated database, such as a table of the ids that are done. */
export function idsIn(world: World): Set<string> {
  return world.survives("ids", () => new Set<string>());
}
