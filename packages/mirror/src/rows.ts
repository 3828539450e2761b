import { recordOf } from "@fieldmesh/core/internal";
import { flag, type MirrorRow, readRow } from "./row.ts";
import { type Dialect, statementsOf } from "./statements.ts";
import { subscribersOf } from "./subscribers.ts";
import type { ObjectKey, Version } from "./version.ts";

type Found = Readonly<Record<string, unknown>>;
export type RunStatement = (sql: string, values: readonly (string | null)[]) => Promise<Found[]>;

export type Subscriber = Pick<ObjectKey, "tenant" | "livemode" | "id">;

/** The rows of a mirror, through one transaction. */
export type Rows = ReturnType<typeof rowsThrough>;

export function createRows(dialect: Dialect): (run: RunStatement) => Rows {
  const statements = statementsOf(dialect);
  return (run) => rowsThrough(run, statements);
}

function rowsThrough(run: RunStatement, statements: ReturnType<typeof statementsOf>) {
  const send = async (sql: string, { columns }: MirrorRow): Promise<boolean> =>
    (await run(sql, Object.values(columns))).length > 0;
  const select = async (sql: string, values: readonly string[]): Promise<MirrorRow[]> =>
    (await run(sql, values)).map(readRow);

  /** Locks a subscriber, and remembers its erasure. Returns the time of its last one. */
  const redact = async ({ tenant, livemode, id }: Subscriber, time: string | null) => {
    const [found] = await run(statements.subscriber, [tenant, flag(livemode), id, time]);
    const { redacted } = recordOf(found);
    return typeof redacted === "string" ? redacted : null;
  };

  return {
    schemaVersion: async (): Promise<unknown> =>
      recordOf((await run(statements.version, []))[0])["version"],
    /** Writes a row if it is newer than the one that is there, and locks it in any case. Returns whether it was written. */
    writeNewer: (row: MirrorRow) => send(statements.writeNewer, row),
    write: (row: MirrorRow) => send(statements.write, row),
    /** Writes a row if there is none. Returns whether it was written. */
    add: (row: MirrorRow) => send(statements.add, row),
    /** Reads and locks a row. */
    read: async (key: ObjectKey): Promise<MirrorRow | undefined> =>
      (await select(statements.read, [key.tenant, key.family, key.id, flag(key.livemode)]))[0],
    /** Reads the rows of a tenant after a key, and locks none. */
    page: (tenant: string, after: ObjectKey | undefined): Promise<MirrorRow[]> =>
      select(statements.page, [
        tenant,
        after?.family ?? "",
        after?.id ?? "",
        flag(after?.livemode ?? false),
      ]),
    /** Returns when an event was first claimed, if its date was wrong. */
    firstClaim: async (tenant: string, event: string): Promise<unknown> =>
      recordOf((await run(statements.firstClaim, [tenant, event]))[0])["first"],
    /** Keeps the time of the first claim of an event, and returns it. */
    keepFirst: async (tenant: string, event: string, time: string): Promise<string> =>
      String(recordOf((await run(statements.keepFirst, [tenant, event, time]))[0])["first"]),
    /** The times of all first claims of a tenant, by event. */
    firstClaims: async (tenant: string): Promise<ReadonlyMap<string, string>> =>
      new Map(
        (await run(statements.firstClaims, [tenant])).map((found) => [
          String(found["event_id"]),
          String(found["first"]),
        ]),
      ),
    redact,
    /** The rows up to a time that hold personal fields and name a subscriber. */
    namedBy: ({ tenant, livemode, id }: Subscriber, time: string): Promise<MirrorRow[]> =>
      select(statements.namedBy, [tenant, flag(livemode), id, time]),
    /** All erasures of a tenant, by subscriber. */
    redacted: async (tenant: string): Promise<(Subscriber & { readonly time: string })[]> =>
      (await run(statements.redacted, [tenant])).map((found) => ({
        tenant,
        id: String(found["id"]),
        livemode: Number(found["livemode"]) === 1,
        time: String(found["redacted"]),
      })),
    /** Drops the personal fields of a version if a subscriber that it names was erased later. Locks these subscribers. */
    withoutErased: async (key: ObjectKey, version: Version): Promise<Version> => {
      if (version.personal === null) return version;
      let isErased = false;
      for (const id of subscribersOf(key, version)) {
        const time = await redact({ ...key, id }, null);
        isErased ||= (time ?? "") >= version.time;
      }
      return isErased ? { ...version, personal: null } : version;
    },
  };
}
