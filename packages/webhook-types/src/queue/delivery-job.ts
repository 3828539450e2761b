import {
  aString,
  decryptText,
  deriveIdKey,
  encryptText,
  isUuid,
  makeId,
  memberOf,
  mistake,
  newestKey,
  readKeys,
  type EncryptionKey,
  type OptionTable,
} from "@fieldmesh/core/internal";
import type { EventDelivery } from "../router/event-handlers.ts";

/** A verified delivery as a job for a queue. It is plain JSON, and shows nothing of the delivery. */
export interface DeliveryJob {
  /** The version of the format. */
  readonly version: 1;
  /** A UUID that depends on the event and on the newest key: the same for each delivery of the event. */
  readonly id: string;
  /** The raw body, what its signature says, and the context of its trace, encrypted with AES-GCM. */
  readonly payload: string;
}

/** What a receiver and the workers of its queue must agree on. */
export interface JobOptions {
  /**
   * Keys for AES-GCM, the newest first. The first one of a receiver encrypts its jobs, and makes their ids. A worker needs all that
   * may have encrypted a job that is still in the queue. To rotate, first add the new key to the workers, at the end of their
   * list, then put it first everywhere, and remove the old one when its jobs are gone.
   */
  readonly keys: readonly EncryptionKey[];
  /**
   * The name of the queue. It is authenticated with each job, like `expectLivemode`: a worker with other values rejects the job.
   *
   * @default "deliveries"
   */
  readonly name?: string | undefined;
}

type OwnOptions = JobOptions & { readonly expectLivemode?: boolean | undefined };

export const aboutJobs: OptionTable<JobOptions> = {
  keys: { required: readKeys },
  name: aString,
};

export interface StoredDelivery {
  /** The raw body. */
  readonly body: string;
  readonly delivery: EventDelivery;
  readonly tenant: string | undefined;
  /** When it was stored, in milliseconds since 1970. */
  readonly storedAt: number;
  /** What subscribers of `fieldmesh:enqueue` wrote, such as `traceparent`. */
  readonly carrier: Readonly<Record<string, string>>;
}

/** Returns a function that makes a job. `name` is the key of the event in a store. */
export function jobMaker(
  own: OwnOptions,
): (name: string, stored: StoredDelivery) => Promise<DeliveryJob> {
  const { keys } = own;
  let idKey: Promise<EncryptionKey> | undefined;
  return async (name, stored) => {
    idKey ??= deriveIdKey(newestKey(keys), "fieldmesh ids of deliveries");
    const id = await makeId(await idKey, name);
    const payload = await encryptText(keys, nameOf(id, own), JSON.stringify(stored));
    return { version: 1, id, payload };
  };
}

/** Returns what a job contains. Rejects for anything else, with an error that shows nothing of it. */
export async function openJob(job: unknown, own: OwnOptions): Promise<StoredDelivery> {
  const [version, id, payload] = ["version", "id", "payload"].map((name) => memberOf(job, name));
  if (typeof version !== "number" || !isUuid(id) || typeof payload !== "string")
    throw mistake(
      "This is not the job of a delivery. Pass the job as createQueueReceiver made it: job.data of BullMQ and of pg-boss. Other jobs need another queue.",
    );
  if (version !== 1)
    throw mistake(
      `The delivery job ${id} was made by a newer version of @fieldmesh/webhook-types. Update it in the workers, before the receivers.`,
    );
  const text = await decryptText(own.keys, nameOf(id, own), payload).catch(() => {
    throw new Error(
      `The delivery job ${id} cannot be decrypted. Add the key of its receiver to keys of the worker, pass the same name and expectLivemode as there, or check that the job was not changed.`,
    );
  });
  // Only createQueueReceiver can have encrypted it.
  return { tenant: undefined, ...(JSON.parse(text) as Omit<StoredDelivery, "tenant">) };
}

/**
 * With the id, so that the payload of one job cannot replace that of another, with a word, for jobs of another kind, and with the
 * mode and the queue, so that a job of a test cannot be put into the queue of the live environment, although the key is the same.
 */
function nameOf(id: string, { name = "deliveries", expectLivemode }: OwnOptions): string {
  return `delivery ${id} ${String(expectLivemode)} ${name}`;
}
