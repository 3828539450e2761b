import { BulkChangeError } from "../run/bulk-error.ts";
import { excludeEqual } from "../run/chunks.ts";
import {
  changes,
  type ChangeMethods,
  type ChangeRow,
  type PendingChange,
} from "../look/change-rows.ts";
import { createRun } from "../run/create-run.ts";
import type { EachDevice } from "../look/device-list.ts";
import {
  lookUpChanges,
  type GetDevice,
  lookForChanges,
  type KnownDevices,
} from "../look/look-for-changes.ts";
import { readChange, sendChanges } from "./send-changes.ts";
import type { SharedRun } from "../run/shared-run.ts";
import type { CheckedStart } from "../run/start-run.ts";
import type { AnyResult, Verb } from "../run/run-parts.ts";

/** The methods of the client that a run calls. */
export interface BoundMethods extends ChangeMethods {
  readonly each: EachDevice;
  readonly get: GetDevice;
}

/** Creates the run of a method that changes many devices, with one request for each. */
export function changeDevices(
  start: CheckedStart,
  name: keyof typeof changes,
  methods: BoundMethods,
): SharedRun<AnyResult, unknown> {
  return createRun(start, changeOf(start.method, changes[name], methods));
}

function changeOf(method: string, row: ChangeRow, methods: BoundMethods): Verb<PendingChange> {
  const known: KnownDevices = { done: [], shown: new Set(), sent: new Set() };
  return {
    method,
    statuses: ["done", "failed", "unknown"],
    readInput: (input, index) => readChange(row, input, index),
    exclude: excludeEqual("the same device precedes it in the input"),
    send: (batch, context) => {
      for (const { identity } of batch) known.sent.add(identity.device_id.toLowerCase());
      return sendChanges(row, methods, batch, context);
    },
    know: (done) => void known.done.push(...done),
    look: async (chunks, context) =>
      (await lookUpChanges(row, methods.get, { known, chunks }, context)) ??
      (await lookForChanges(row, methods.each, { known, chunks }, context)),
    repeatable: row.repeatable,
    // The requests of a chunk already run in parallel.
    chunksAtOnce: () => 1,
    toError: (state, happened, cause) => new BulkChangeError(state, happened, cause),
  };
}
