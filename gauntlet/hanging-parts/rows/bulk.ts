import { type BulkError, type BulkLease, createConsoleClient } from "@fieldmesh/console-client";
import { createSandbox } from "@fieldmesh/sandbox/engine";
import { memoryStore } from "@fieldmesh/webhook-types/receiver";
import type { Part, Wait } from "../row.ts";

/** What a run passes on to the part. */
interface Source {
  /** Returns the next device of the caller's source. */
  readonly next?: (device: object, part: Part) => unknown;
  readonly onCheckpoint?: (part: Part) => unknown;
  readonly lease?: (part: Part) => Pick<BulkLease, "store">;
}

const IDS = { app_eui: "70B3D57ED0000001", app_key: "2B7E151628AED2A6ABF7158809CF4F3C" };

/** Starts runs of `createMany` with one device each. */
function running({ next = (device) => device, onCheckpoint, lease }: Source): Wait["start"] {
  return (part) => {
    const sandbox = createSandbox({ console: { data: "empty" } });
    const client = createConsoleClient(sandbox.console);
    const sent = () => sandbox.log.requests().filter(({ method }) => method === "POST").length;
    let aborting = new AbortController();
    let count = 0;
    const use = async (): Promise<string> => {
      const number = String((count += 1)).padStart(4, "0");
      const device = { ...IDS, name: `Tank ${number}`, dev_eui: `70B3D57ED001${number}` };
      const sentBefore = sent();
      const ended: string[] = [];
      aborting = new AbortController();
      const run = client.devices.createMany(sourceOf(() => next(device, part)) as never, {
        signal: aborting.signal,
        ...(onCheckpoint && { onCheckpoint: () => onCheckpoint(part) as void }),
        ...(lease && { lease: { id: `import ${number}`, ...lease(part) } }),
      });
      try {
        for await (const result of run) ended.push(result.status);
      } catch (error) {
        ended.push(causeOf(error as BulkError));
      }
      return `${ended.join()}, ${sent() - sentBefore} sent`;
    };
    // A run loads its code at its first use, which takes time of its own.
    const prepare = async () => {
      for await (const _ of client.devices.createMany([])) continue;
    };
    return { prepare, use, abort: () => aborting.abort() };
  };
}

/** A source of one item, which `read` returns. */
function sourceOf(read: () => unknown): AsyncIterable<unknown> {
  let isRead = false;
  return {
    [Symbol.asyncIterator]: () => ({
      next: async () => {
        if (isRead) return { done: true, value: undefined };
        isRead = true;
        return { value: await read() };
      },
    }),
  };
}

function causeOf(error: BulkError): string {
  const cause = error.name === "BulkError" ? (error.cause as Error | undefined) : undefined;
  return cause?.name ?? error.name;
}

const CREATED = "created, 1 sent";

export const bulkWaits: readonly Wait[] = [
  {
    part: "the next input of a bulk run, from the caller's source",
    limit: undefined,
    limitText: "none: only the caller knows when there is one",
    after: "the run waits until `break`, a fatal error or its signal",
    reported: "after the signal, a `BulkError` with the checkpoint",
    recovers: "a run from the checkpoint reads the source again",
    start: running({ next: (device, part) => part(device, "no device") }),
    ends: { never: "AbortError, 0 sent", late: CREATED, twice: CREATED, odd: "failed, 0 sent" },
    works: CREATED,
  },
  {
    part: "`onCheckpoint` of a bulk run",
    limit: undefined,
    limitText: "none: nothing may be sent before it is stored",
    after: "the run sends nothing until it is stored, and ends with its signal",
    reported: "`waiting` of the progress, and after 30 s `console.warn`",
    recovers: "the run resumes when the checkpoint is stored",
    warns: "devices.createMany: onCheckpoint has not stored a checkpoint for 30 seconds.",
    start: running({ onCheckpoint: (part) => part(undefined, "stored") }),
    ends: { never: "AbortError, 0 sent", late: CREATED, twice: CREATED, odd: CREATED },
    works: CREATED,
  },
  {
    part: "`claim` of the store of a lease",
    limit: 10_000,
    limitText: "10 s, or a third of the lease if that is less",
    after: "the run ends with a `LeaseLostError`: nothing was sent",
    reported: "`cause` of the error",
    recovers: "a claim that comes late is released, and the next run claims again",
    start: running({
      lease: (part) => {
        const store = memoryStore();
        const claim = async (...values: Parameters<typeof store.claim>) =>
          part(await store.claim(...values), { status: "odd" });
        return { store: { ...store, claim } as typeof store };
      },
    }),
    ends: {
      never: "LeaseLostError, 0 sent",
      late: "LeaseLostError, 0 sent",
      twice: CREATED,
      odd: "LeaseLostError, 0 sent",
    },
    works: CREATED,
  },
];
