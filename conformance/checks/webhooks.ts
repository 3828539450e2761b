import { createVerifier, eventTypes, sign } from "@fieldmesh/webhook-types";
import { parseEvent } from "@fieldmesh/webhook-types/parse";
import { createReceiver, memoryStore } from "@fieldmesh/webhook-types/receiver";
import { sampleEvent } from "@fieldmesh/webhook-types/samples";
import { expectSame, rejection } from "../expect.ts";
import type { Check } from "../setting.ts";

const SECRET = "whsec_of_the_conformance_suite";
const URL_OF_RECEIVER = "https://receiver.test/hooks";

async function delivery(body: string, secret = SECRET): Promise<Request> {
  const headers = await sign({ secret, body });
  return new Request(URL_OF_RECEIVER, { method: "POST", body, headers });
}

/**
 * Checks of the verifier, the parser and a receiver. The test vectors of the verifier are a separate suite, which also runs in
 * Chromium.
 */
export const webhookChecks: readonly Check[] = [
  {
    title: "a signature is accepted, and a changed body is not",
    run: async () => {
      const verify = createVerifier({ secret: SECRET });
      const body = JSON.stringify(sampleEvent("sim.activated"));
      const headers = await sign({ secret: SECRET, body });
      expectSame((await verify({ body, headers })).secretIndex, 0);
      const { reason } = await rejection(verify({ body: `${body} `, headers }));
      expectSame(reason, "signature_mismatch");
    },
  },
  {
    title: `all ${eventTypes.length} event types are parsed`,
    run: () => {
      for (const type of eventTypes) expectSame(parseEvent(sampleEvent(type)).type, type);
    },
  },
  {
    title: "a receiver handles an event once, and rejects a wrong signature",
    run: async () => {
      const handled: string[] = [];
      const receive = createReceiver({
        secret: SECRET,
        store: memoryStore(),
        onOutcome: () => undefined,
        handlers: { "sim.*": ({ id }) => void handled.push(id) },
      });
      const event = sampleEvent("sim.activated");
      const body = JSON.stringify(event);
      const statuses = [];
      for (const request of [
        await delivery(body),
        await delivery(body),
        await delivery(body, "whsec_of_a_stranger_0000"),
      ])
        statuses.push((await receive(request)).status);
      expectSame(handled, [event.id]);
      expectSame(statuses, [200, 200, 401]);
    },
  },
];
