// Each reason to reject a checkpoint × each checkpoint.
import { createConsoleClient, type BulkCheckpoint } from "../../console-client/src/index.ts";
import { CheckpointError, isRecord, withChecksum } from "@fieldmesh/core/internal";
import { createLedgerClient } from "../../ledger-client/src/index.ts";
import {
  catchUp,
  createMobileClient,
  type CatchUpCheckpoint,
} from "../../mobile-client/src/index.ts";
import { createSandbox } from "../../sandbox/src/engine/index.ts";
import { memoryStore } from "../../webhook-types/src/receiver/index.ts";
import { createEventRouter } from "../../webhook-types/src/router/index.ts";
import { describe, expect, test } from "vitest";
import { fleet } from "../../../tools/testing/bulk-runs.ts";

const sandbox = createSandbox({ seed: 1 });
const { devices } = createConsoleClient(sandbox.console);
const mobile = createMobileClient(sandbox.mobile);
const rewards = (options: object = {}) =>
  createLedgerClient(sandbox.ledger).accounts.rewards(
    {
      address: sandbox.ledger.state.chain.addresses.of(1),
      min_time: "2026-01-01",
      max_time: "-1 day",
    },
    options,
  );
const events = {
  client: mobile,
  since: new Date(0),
  query: { type: "plan.created" },
  router: createEventRouter({}),
  store: memoryStore(),
};

/** Runs a method for many devices to its end, and returns the last checkpoint. */
async function lastOf(run: (options: object) => PromiseLike<unknown>): Promise<BulkCheckpoint> {
  let last!: BulkCheckpoint;
  await run({ settleTime: 0, onCheckpoint: (next: BulkCheckpoint) => void (last = next) });
  return last;
}
const changes = [...sandbox.console.state.devices.values()].map(({ id }) => ({
  device_id: id,
  active: false,
}));

interface Kind {
  readonly write: () => object | Promise<object>;
  readonly resume: (checkpoint: never) => unknown;
}
const kinds: Readonly<Record<string, Kind>> = {
  "a list": {
    write: () => rewards().walk().checkpoint(),
    resume: (checkpoint) => rewards({ checkpoint }).walk().next(),
  },
  "a parallel walk": {
    write: () => rewards().parallel().checkpoint(),
    resume: (checkpoint) => rewards().parallel({ checkpoint }).next(),
  },
  catchUp: {
    async write() {
      let last!: CatchUpCheckpoint;
      await catchUp({ ...events, onCheckpoint: (next) => void (last = next) });
      return last;
    },
    resume: (checkpoint) => catchUp({ ...events, checkpoint }),
  },
  createMany: {
    write: () => lastOf((options) => devices.createMany(fleet(3), options)),
    resume: (checkpoint) => devices.createMany(fleet(3), { checkpoint }).report(),
  },
  setActiveMany: {
    write: () => lastOf((options) => devices.setActiveMany(changes, options)),
    resume: (checkpoint) => devices.setActiveMany(changes, { checkpoint }).report(),
  },
};

interface Row {
  readonly reason: CheckpointError["reason"];
  /** The field of another owner, and the kinds whose checkpoint has none. Every other cell is tested. */
  readonly field?: string;
  readonly lacking?: readonly string[];
  readonly change: (checkpoint: object) => unknown;
}
/** A row for a checkpoint that has a field of another owner, and the checksum of that. */
const other = (
  reason: Row["reason"],
  field: string,
  value: unknown,
  lacking: readonly string[] = [],
): Row => ({
  reason,
  field,
  lacking,
  change: (checkpoint) => withChecksum({ ...checkpoint, checksum: undefined, [field]: value }),
});
const lists = ["a list", "a parallel walk", "catchUp"];
const runs = ["createMany", "setActiveMany"];
const invalid = (change: Row["change"]): Row => ({ reason: "invalid", change });
const damaged = (change: Row["change"]): Row => ({ reason: "damaged", change });
const unreadable = {
  get(): never {
    throw new TypeError("a value of the caller");
  },
};

const rows: Readonly<Record<string, Row>> = {
  null: invalid(() => null),
  "a string": invalid((checkpoint) => JSON.stringify(checkpoint)),
  "an array": invalid((checkpoint) => [checkpoint]),
  "an empty object": invalid(() => ({})),
  "an object with an unreadable getter": invalid((checkpoint) =>
    Object.defineProperty({ ...checkpoint }, "call", { ...unreadable, enumerable: true }),
  ),
  "a proxy that throws": invalid((checkpoint) => new Proxy(checkpoint, unreadable)),
  "a checkpoint of another version": invalid((checkpoint) => ({ ...checkpoint, version: 2 })),
  "a checkpoint without a checksum": invalid((checkpoint) => ({
    ...checkpoint,
    checksum: undefined,
  })),
  "a checkpoint with one field more": invalid((checkpoint) => ({ ...checkpoint, more: 1 })),
  "another checksum": damaged((checkpoint) => ({ ...checkpoint, checksum: "other" })),
  "a changed field": damaged((checkpoint) => ({ ...checkpoint, server: "other" })),
  "another method": other("other_method", "call", "labels.list"),
  "a method that is not a name": other("other_method", "call", "<b>labels.list</b>"),
  "another server": other("other_server", "server", "other"),
  "another organization": other("other_organization", "organization", "other", lists),
  "another list": other("other_input", "path", "other", runs),
  "another query": other("other_input", "query", {}, runs),
  "other devices": other("other_input", "done", ["other"], lists),
};

describe.each(Object.entries(kinds))("the checkpoint of %s", async (kind, { write, resume }) => {
  const checkpoint = await write();

  test.each(Object.entries(rows))(
    "is rejected: %s",
    async (_row, { reason, field, lacking, change }) => {
      if (field !== undefined) expect(field in checkpoint).toBe(!lacking?.includes(kind));
      if (lacking?.includes(kind) === true) return;
      const sent = sandbox.log.requests().length;
      const error: unknown = await (async () => resume(change(checkpoint) as never))().catch(
        (thrown: unknown) => thrown,
      );
      expect(error).toBeInstanceOf(CheckpointError);
      expect(error).toMatchObject({ reason });
      expect((error as Error).message).toMatch(/^[\w.]+ rejected the checkpoint: it .*\.$/);
      expect((error as Error).message).not.toContain("<b>");
      // A run reads the organization before it compares it.
      const routes = sandbox.log
        .requests()
        .slice(sent)
        .map(({ path }) => path);
      expect(routes.filter((path) => !path.endsWith("/organization"))).toEqual([]);
    },
  );

  test("is resumed with its keys in another order", async () => {
    const reversed = (value: unknown): unknown =>
      Array.isArray(value)
        ? value.map(reversed)
        : isRecord(value)
          ? Object.fromEntries(
              Object.entries(value)
                .toReversed()
                .map(([key, each]) => [key, reversed(each)]),
            )
          : value;
    await resume(reversed(checkpoint) as never);
  });
});
