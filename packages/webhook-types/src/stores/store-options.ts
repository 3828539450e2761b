import {
  anything,
  mistake,
  type Clock,
  type OptionTable,
  readKeys,
} from "@fieldmesh/core/internal";
import { readTable } from "./postgres-table.ts";

/** Options of a store, an inbox, an order or a list of failing events in PostgreSQL. */
export interface TableOptions {
  /**
   * The table. SQLite creates it, and the SQL of `postgresTables`, `postgresOrderTable` or `postgresPoisonTable` creates it in
   * PostgreSQL. Two receivers with different handlers need two tables.
   *
   * @default "fieldmesh_events", "fieldmesh_objects" for an order, "fieldmesh_poison" for failing events
   */
  readonly table?: string | undefined;
  /** How many milliseconds an event, object or failure is remembered, at least 3 days. @default 604_800_000, 7 days */
  readonly retention?: number | undefined;
}

/** Options of a store, an inbox, an order or a list of failing events in SQLite. */
export interface SqliteOptions extends TableOptions {
  /** The clock. @default that of the machine. Leases are then measured from its start, so setting its clock changes none */
  readonly clock?: Clock | undefined;
}

/** Options of a store or an order in Redis. */
export interface RedisOptions extends Pick<TableOptions, "retention"> {
  /**
   * The prefix of every key. Two receivers with different handlers need different prefixes.
   *
   * @default "fieldmesh:event:", "fieldmesh:object:" for an order
   */
  readonly prefix?: string | undefined;
}

/** What cleans up a table. */
export interface CleanUp {
  /**
   * Deletes what is older than the retention, except events that were set aside, and returns how many rows. Run it once a day.
   */
  cleanUp(): Promise<number>;
}

const HOUR = 3_600_000;
/** The last retry is about two days after the first delivery, and someone may replay the event later. */
const LEAST = 72 * HOUR;
export const SEVEN_DAYS = 168 * HOUR;

/** Checks how long something is remembered, in milliseconds: at least three days. */
export function readRetention(retention: unknown): number {
  if (
    typeof retention !== "number" ||
    !(retention >= LEAST && retention <= Number.MAX_SAFE_INTEGER)
  )
    throw mistake(
      "retention must be 3 days or more, in milliseconds: an event may be delivered again for two days.",
    );
  return Math.ceil(retention);
}

export const inTable: OptionTable<TableOptions> = { table: readTable, retention: readRetention };
export const inRedis: OptionTable<RedisOptions> = { prefix: anything, retention: readRetention };
export const inSqlite: OptionTable<SqliteOptions> = {
  table: readTable,
  retention: readRetention,
  clock: anything,
};

/** A key for AES-GCM that encrypts and decrypts, such as the result of `crypto.subtle.importKey`. */
export type EncryptionKey = Awaited<ReturnType<typeof crypto.subtle.importKey>>;

/**
 * How to store the payloads of events that were set aside.
 *
 * - `"withoutSecrets"`: as JSON, without one-time codes and activation codes. A code of four characters or more also becomes
 *   `[redacted]` where another field repeats it. Personal data is kept. Anyone who can write to the store can change an event.
 * - A key: the whole event, encrypted with AES-GCM. `runAgain` rejects a payload that is not encrypted.
 * - Several keys, to rotate one: the first encrypts, and all decrypt. Remove the old key when its events are gone.
 */
export type Payloads = "withoutSecrets" | EncryptionKey | readonly EncryptionKey[];

/** Options of a list of failing events. */
export interface PayloadOptions {
  /** How to store payloads, so that events can be run again. @default none is stored */
  readonly payload?: Payloads | undefined;
}

/** Checks how to store payloads. It shows nothing of a key. */
export function readPayloads(payload: unknown, name: string, owner: string): Payloads {
  if (payload === "withoutSecrets") return payload;
  return readKeys(payload, name, owner, '"withoutSecrets" or ');
}
