import {
  CallError,
  encodeInput,
  isApiError,
  STATUS,
  type ApiError,
} from "@fieldmesh/http/internal";
import type { RunContext } from "../run/bulk-settings.ts";
import type { ChangeMethods, ChangeRow, PendingChange } from "../look/change-rows.ts";
import { failedOf, invalidOf, validId } from "../run/chunks.ts";
import { sendPatiently } from "../run/send-patiently.ts";
import type { AnyResult, BatchOutcome } from "../run/run-parts.ts";

// These statuses concern one device. Any other status concerns all of them.
const OF_ONE_DEVICE = new Set([400, 404, 409, 422]);

/** Checks an input. Drops fields that the request does not need, such as those of a device record. */
export function readChange(
  row: ChangeRow,
  input: unknown,
  index: number,
): PendingChange | AnyResult {
  // These inputs have no observed rules.
  const encoded = encodeInput(row.fields, input, false);
  if ("problems" in encoded) {
    const { problems } = encoded;
    return invalidOf({ index, device_id: validId(input, row.idField, problems) }, problems);
  }
  const change = encoded.output as Readonly<Record<string, unknown>>;
  const device_id = change[row.idField] as string;
  return {
    index,
    input: change,
    identity: { index, device_id },
    key: [device_id, ...row.keyFields.map((field) => change[field])].join().toLowerCase(),
    content: Object.values(change).join(),
  };
}

/** Sends one request for each device, several in parallel. */
export async function sendChanges(
  row: ChangeRow,
  methods: ChangeMethods,
  batch: readonly PendingChange[],
  context: RunContext,
): Promise<BatchOutcome> {
  const results = new Map<number, AnyResult>();
  let broken: CallError | undefined;
  let failure: { readonly error: unknown } | undefined;
  // Shared by all workers.
  const queue = batch.values();

  async function work(): Promise<void> {
    for (const change of queue) {
      if (failure !== undefined) return;
      try {
        const outcome = await sendChange(row, methods, change, context);
        if (!(outcome instanceof CallError)) results.set(change.index, outcome);
        else broken = outcome;
      } catch (error) {
        failure ??= { error };
      }
    }
  }

  await Promise.all(Array.from({ length: context.concurrency }, work));
  return { results, error: broken, failure };
}

async function sendChange(
  row: ChangeRow,
  methods: ChangeMethods,
  change: PendingChange,
  context: RunContext,
): Promise<AnyResult | CallError> {
  const { input, identity } = change;
  try {
    const sent = await sendPatiently(row.call, [change], context, (...how) =>
      row.send(methods, input as never, ...how),
    );
    // A 2xx is about this device alone, whatever its body says.
    if (!("broken" in sent) || change.doubt === "responded") return { status: "done", ...identity };
    return sent.broken;
  } catch (error) {
    if (!isOfOneDevice(error)) throw error;
    if (change.doubt === undefined) return failedOf(change, "rejected", error.message);
    // It may be rejected because the broken request was carried out, so the list decides.
    change.rejection = error.message;
    change.isNotFound = error.status === STATUS.notFound;
    return error;
  }
}

function isOfOneDevice(error: unknown): error is ApiError {
  return isApiError(error) && OF_ONE_DEVICE.has(error.status);
}
