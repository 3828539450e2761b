import { parseJson } from "@fieldmesh/core";
import { REDACTED } from "@fieldmesh/webhook-types/internal/mirror";
import { canonical } from "./canonical.ts";
import { type Collected, type Listed, textOf } from "./collect-events.ts";
import type { MirrorFinding, MirrorReport } from "./mirror.ts";
import { type Column, COLUMNS, type MirrorRow, rowOf } from "./row.ts";
import type { Rows, Subscriber } from "./rows.ts";
import { subscribersOf } from "./subscribers.ts";
import type { ObjectKey, Version } from "./version.ts";

export interface Change {
  readonly finding: MirrorFinding;
  readonly expected: MirrorRow;
  /** The row that was read. `undefined` if there was none. */
  readonly found: MirrorRow | undefined;
}

/** The result of a comparison, with what a repair would write. */
export interface Comparison {
  readonly report: MirrorReport;
  readonly changes: readonly Change[];
  /** Erasures that the events name and the tables lack. */
  readonly erasures: readonly (Subscriber & { readonly time: string })[];
}

export async function compare(
  rows: Pick<Rows, "page" | "redacted">,
  tenant: string,
  { objects, wrongDates, ...counts }: Collected,
): Promise<Comparison> {
  const remembered = await rows.redacted(tenant);
  const erasedAt = new Map(remembered.map((each) => [subscriberText(each), each.time]));
  const erasures: Comparison["erasures"][number][] = [];
  for (const { key, erasedAt: time } of objects.values()) {
    const text = subscriberText(key);
    if (time === undefined || (erasedAt.get(text) ?? "") >= time) continue;
    erasedAt.set(text, time);
    erasures.push({ tenant, livemode: key.livemode, id: key.id, time });
  }
  /** Without the personal fields, if a subscriber that the version names was erased later. */
  const withoutErased = (key: ObjectKey, version: Version): Version =>
    subscribersOf(key, version).some(
      (id) => (erasedAt.get(subscriberText({ ...key, id })) ?? "") >= version.time,
    )
      ? { ...version, personal: null }
      : version;

  const changes: Change[] = [];
  const ambiguous: MirrorFinding[] = [];
  const lacking = new Set(erasures.map((each) => subscriberText(each)));
  const seen = new Set<string>();
  let checked = 0;
  let notChecked = 0;
  for await (const found of allRows(rows, tenant)) {
    const { key } = found;
    const listed = objects.get(textOf(key));
    seen.add(textOf(key));
    if (wrongDates.has(textOf(key))) continue;
    const isListed = listed?.ids.has(found.columns.event_id ?? "") === true;
    const versions = versionsOf(found, listed).map((version) => withoutErased(key, version));
    const expected = rowOf(key, versions);
    const columns = differences(expected, found);
    if (key.family === "subscriber" && lacking.has(subscriberText(key)))
      columns.push("redacted_at");
    if (columns.length > 0) changes.push({ finding: findingOf(key, columns), expected, found });
    else if (!isListed) notChecked += 1;
    else if (expected.columns.ambiguous === "1") ambiguous.push(findingOf(key));
    if (isListed || columns.length > 0) checked += 1;
  }
  for (const [text, { key, versions }] of objects) {
    if (seen.has(text) || wrongDates.has(text)) continue;
    const kept = versions.map((version) => withoutErased(key, version));
    changes.push({ finding: findingOf(key), expected: rowOf(key, kept), found: undefined });
  }
  const of = (isMissing: boolean): MirrorFinding[] =>
    changes
      .filter(({ found }) => (found === undefined) === isMissing)
      .map(({ finding }) => finding);
  const named = [...wrongDates.values()].map((key) => findingOf(key));
  const rated = { differs: of(false), missing: of(true), ambiguous, wrongDates: named };
  return { report: { ...rated, checked, notChecked, ...counts }, changes, erasures };
}

async function* allRows(rows: Pick<Rows, "page">, tenant: string): AsyncGenerator<MirrorRow> {
  let after: ObjectKey | undefined;
  for (;;) {
    const page = await rows.page(tenant, after);
    yield* page;
    after = page.at(-1)?.key;
    if (after === undefined) return;
  }
}

/** The versions of the list, and those of the row whose events the list lacks: they may have been dropped, or be listed later. */
function versionsOf({ versions }: MirrorRow, listed: Listed | undefined): Version[] {
  if (listed === undefined) return [...versions];
  const stored = new Map(versions.map((version) => [version.id, version]));
  const fromList = listed.versions.map((version) => {
    const known = stored.get(version.id);
    // A webhook has more than the stored event: the recipient of an order, and a code that shows where another field repeats it.
    const personal = { ...known?.personal, ...version.personal };
    const isHidden = known !== undefined && canonical(known.state).includes(REDACTED);
    return {
      ...version,
      ...(isHidden && { state: known.state, previous: known.previous }),
      personal: Object.keys(personal).length > 0 ? personal : null,
    };
  });
  return [...fromList, ...versions.filter(({ id }) => !listed.ids.has(id))];
}

function differences(expected: MirrorRow, found: MirrorRow): string[] {
  return (Object.keys(COLUMNS) as Column[]).filter(
    (column) => comparable(expected, column) !== comparable(found, column),
  );
}

function comparable({ columns }: MirrorRow, column: Column): string | null {
  const value = columns[column];
  return COLUMNS[column] === "json" && value !== null ? canonical(parseJson(value)) : value;
}

export function isSameRow(one: MirrorRow, other: MirrorRow): boolean {
  return differences(one, other).length === 0;
}

function findingOf(
  { family, id, livemode }: ObjectKey,
  columns: readonly string[] = [],
): MirrorFinding {
  return { family, id, livemode, columns };
}

function subscriberText({ livemode, id }: Pick<ObjectKey, "livemode" | "id">): string {
  return JSON.stringify([id, livemode]);
}
