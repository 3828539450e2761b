import { parseJson, recordOf, stringifyJson, type AnyRecord } from "@fieldmesh/core/internal";
import { isDeletion } from "@fieldmesh/webhook-types/internal/mirror";
import { fold } from "./fold.ts";
import { heldOf, placementOf } from "./placement.ts";
import { subscribersOf } from "./subscribers.ts";
import { type ObjectKey, type Previous, type Version } from "./version.ts";

/** A row of a mirror: what it keeps of the versions of an object, of which the columns show one. */
export interface MirrorRow {
  readonly key: ObjectKey;
  /** The versions of the last time, of which one is shown, and those that say where a SIM is. */
  readonly versions: readonly Version[];
  readonly columns: Columns;
}

/** How a column is written. */
export type Kind = "text" | "flag" | "time" | "json";

/** The columns of the table, those of the key first. */
export const COLUMNS = {
  tenant: "text",
  family: "text",
  id: "text",
  livemode: "flag",
  event_id: "text",
  event_type: "text",
  created_at: "time",
  ambiguous: "flag",
  deleted_at: "time",
  state: "json",
  personal: "json",
  previous: "json",
  ties: "json",
  subscribers: "json",
  placement: "json",
} as const satisfies Readonly<Record<string, Kind>>;

export type Column = keyof typeof COLUMNS;

export type Columns = Readonly<Record<Column, string | null>>;

/** Creates the row that shows the last one of some versions. */
export function rowOf(key: ObjectKey, versions: readonly Version[]): MirrorRow {
  const held = heldOf(versions);
  const { shown, isAmbiguous } = fold(held);
  const named = held
    .filter(({ personal }) => personal !== null)
    .flatMap((version) => subscribersOf(key, version));
  const columns = {
    tenant: key.tenant,
    family: key.family,
    id: key.id,
    livemode: flag(key.livemode),
    event_id: shown.id,
    event_type: shown.type,
    created_at: shown.time,
    ambiguous: flag(isAmbiguous),
    deleted_at: isDeletion(shown) ? shown.time : null,
    state: stringifyJson(shown.state),
    personal: json(shown.personal),
    previous: json(shown.previous),
    ties: held.length > 1 ? stringifyJson(held) : null,
    // Those whose erasure clears the row.
    subscribers: named.length > 0 ? stringifyJson([...new Set(named)].sort()) : null,
    placement: key.family === "sim" ? stringifyJson(placementOf(held)) : null,
  };
  return { key, versions: held, columns };
}

export function readRow(found: Readonly<Record<string, unknown>>): MirrorRow {
  const columns = Object.fromEntries(
    Object.entries(COLUMNS).map(([column, kind]) => [column, readColumn(kind, found[column])]),
  ) as Columns;
  // These are never null.
  const text = (column: Column): string => String(columns[column]);
  const shown: Version = {
    id: text("event_id"),
    type: text("event_type"),
    time: text("created_at"),
    state: recordOf(parsed(columns.state)),
    personal: parsed(columns.personal) as AnyRecord | null,
    previous: parsed(columns.previous) as Previous | null,
  };
  return {
    key: {
      tenant: text("tenant"),
      family: text("family"),
      id: text("id"),
      livemode: columns.livemode === "1",
    },
    versions: columns.ties === null ? [shown] : (parsed(columns.ties) as Version[]),
    columns,
  };
}

/** Only a flag is not read as a string. */
function readColumn(kind: Kind, value: unknown): string | null {
  if (value === null || value === undefined) return null;
  if (kind === "flag") return flag(Number(value) === 1);
  return typeof value === "string" ? value : null;
}

function parsed(text: string | null): unknown {
  return text === null ? null : parseJson(text);
}

function json(value: unknown): string | null {
  return value === null ? null : stringifyJson(value);
}

/** Both databases read it as a truth value. */
export function flag(value: boolean): string {
  return value ? "1" : "0";
}
