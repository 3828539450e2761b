import { isErasure } from "@fieldmesh/webhook-types/internal/mirror";
import type { ObjectClaim } from "@fieldmesh/webhook-types/receiver";
import { isPlacing } from "./placement.ts";
import type { KeyedVersion } from "./version.ts";
import { rowOf } from "./row.ts";
import type { Rows, Subscriber } from "./rows.ts";
import { subscribersOf } from "./subscribers.ts";

/** Writes what an event says about its object, and returns the place of the event among those of the object. */
export async function recordVersion(
  rows: Rows,
  { key, version }: KeyedVersion,
): Promise<ObjectClaim> {
  // Subscribers are locked before the row, everywhere in the same order. An erasure is older than some events of its subscriber,
  // and still clears what is older than it.
  if (isErasure(version)) await rows.redact(key, version.time);
  const kept = await rows.withoutErased(key, version);
  const claim = await writeVersion(rows, { key, version: kept });
  if (isErasure(version)) await clearPersonal(rows, key, version.time);
  return claim;
}

async function writeVersion(rows: Rows, { key, version }: KeyedVersion): Promise<ObjectClaim> {
  if (await rows.writeNewer(rowOf(key, [version]))) return "newest";
  const row = await rows.read(key);
  if (row === undefined) throw new Error(VANISHED);
  const { versions } = row;
  const isOlder = versions.some(({ time }) => time > version.time);
  const isHeld = versions.some(({ id }) => id === version.id);
  if (!isHeld && (!isOlder || isPlacing(version)))
    await rows.write(rowOf(key, [...versions, version]));
  if (isOlder) return "older";
  return versions.some(({ time, id }) => time === version.time && id !== version.id)
    ? "ambiguous"
    : "newest";
}

const VANISHED =
  "A row of the mirror was deleted while its event was handled. Only the mirror may write its tables.";

/** Clears the personal fields of all rows that name a subscriber, up to the time of its erasure. */
export async function clearPersonal(
  rows: Rows,
  subscriber: Subscriber,
  time: string,
): Promise<void> {
  for (const { key, versions } of await rows.namedBy(subscriber, time)) {
    const cleared = versions.map((version) =>
      subscribersOf(key, version).includes(subscriber.id)
        ? { ...version, personal: null }
        : version,
    );
    await rows.write(rowOf(key, cleared));
  }
}
