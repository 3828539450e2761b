import {
  decryptText,
  deriveIdKey,
  encryptText,
  isUuid,
  makeId,
  memberOf,
  type EncryptionKey,
  mistake,
} from "@fieldmesh/core/internal";
import type { EventDelivery } from "../router/event-context.ts";

/** A verified delivery as a job for a queue. It is plain JSON, and shows nothing of the delivery. */
export interface DeliveryJob {
  /** The version of the format. */
  readonly version: 1;
  /** A UUID that depends on the event and on the newest key: the same for each delivery of the event. */
  readonly id: string;
  /** The raw body, what its signature says, and the context of its trace, encrypted with AES-GCM. */
  readonly payload: string;
}

export interface StoredDelivery {
  /** The raw body. */
  readonly body: string;
  readonly delivery: EventDelivery;
  readonly tenant: string | undefined;
  /** What subscribers of `fieldmesh:enqueue` wrote, such as `traceparent`. */
  readonly carrier: Readonly<Record<string, string>>;
}

/** Returns a function that makes a job. `name` is the key of the event in a store. */
export function jobMaker(
  key: EncryptionKey,
): (name: string, stored: StoredDelivery) => Promise<DeliveryJob> {
  let idKey: Promise<EncryptionKey> | undefined;
  return async (name, stored) => {
    idKey ??= deriveIdKey(key, "fieldmesh ids of deliveries");
    const id = await makeId(await idKey, name);
    const payload = await encryptText(key, nameOf(id), JSON.stringify(stored));
    return { version: 1, id, payload };
  };
}

/** Returns what a job contains. Rejects for anything else, with an error that shows nothing of it. */
export async function openJob(
  job: unknown,
  keys: readonly EncryptionKey[],
): Promise<StoredDelivery> {
  const [version, id, payload] = ["version", "id", "payload"].map((name) => memberOf(job, name));
  if (typeof version !== "number" || !isUuid(id) || typeof payload !== "string")
    throw mistake(
      "This is not the job of a delivery. Pass the job as createQueueReceiver made it: job.data of BullMQ and of pg-boss. Other jobs need another queue.",
    );
  if (version !== 1)
    throw mistake(
      `The delivery job ${id} was made by a newer version of @fieldmesh/webhook-types. Update it in the workers, before the receivers.`,
    );
  for (const key of keys) {
    const text = await decryptText(key, nameOf(id), payload).catch(() => undefined);
    // Only createQueueReceiver can have encrypted it.
    if (text !== undefined)
      return { tenant: undefined, ...(JSON.parse(text) as Omit<StoredDelivery, "tenant">) };
  }
  throw new Error(
    `The delivery job ${id} cannot be decrypted. Add the key of its receiver to keys of the worker, or check that the job was not changed.`,
  );
}

/** With the id, so that the payload of one job cannot replace that of another, and with a word, for jobs of another kind. */
function nameOf(id: string): string {
  return `delivery ${id}`;
}
