import { signedRequest } from "@fieldmesh/webhook-types";
import { createQueueReceiver, type DeliveryQueue } from "@fieldmesh/webhook-types/queue";
import { sampleEvent } from "@fieldmesh/webhook-types/samples";
import type { Wait } from "../row.ts";
import { RECONNECTS } from "./lent.ts";

const secret = "whsec_test_secret_only";
const STORED = "200 stored";
const QUEUE_FAILED = "503 queue_failed";
const key = crypto.subtle.importKey("raw", new Uint8Array(32), "AES-GCM", false, [
  "encrypt",
  "decrypt",
]);

/** Returns a function that delivers an event to a receiver with this queue. */
function storing(queue: DeliveryQueue) {
  let receiver: Promise<ReturnType<typeof createQueueReceiver>> | undefined;
  const create = async () =>
    createQueueReceiver({
      secret,
      keys: [await key],
      queue,
      onError: () => undefined,
      onOutcome: () => undefined,
      logger: { debug: () => {}, warn: () => {}, error: () => {} },
    });
  return async (): Promise<string> => {
    const receive = await (receiver ??= create());
    const url = "http://127.0.0.1/hooks";
    const response = await receive(
      await signedRequest(sampleEvent("sim.activated"), { url, secret }),
    );
    return `${response.status} ${await response.text()}`;
  };
}

export const queueWaits: readonly Wait[] = [
  {
    part: "`add` of the queue of a receiver",
    limit: 10_000,
    after: "`queue_failed`: 503, and the sender retries",
    reported: "`onError`",
    recovers: "each delivery calls it again; a job that is stored late is not stored twice",
    start: (part) => ({
      use: storing({ add: () => part(Promise.resolve(), "OK") as Promise<unknown> }),
    }),
    ends: { never: QUEUE_FAILED, late: QUEUE_FAILED, twice: STORED, odd: QUEUE_FAILED },
    works: STORED,
  },
  {
    part: "the settings of the Redis of a queue, at the first delivery",
    limit: 0,
    limitText: "9 s, and nothing waits for them",
    after: "nothing: the delivery has continued",
    reported: "one warning, to `logger` or `console.warn`, as for settings that are too weak",
    recovers: "they are read once in the life of a receiver",
    start: (part) => {
      const call = async (_command: string, _get: string, name: string) =>
        part([name, "yes"], "OK");
      return { use: storing({ add: async () => {}, redis: { call, ...RECONNECTS } as never }) };
    },
    ends: { never: STORED, late: STORED, twice: STORED, odd: STORED },
    works: STORED,
  },
];
