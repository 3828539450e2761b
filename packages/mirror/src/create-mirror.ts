// Why it is so: docs/decisions/37-a-mirror-is-an-order.md
import {
  anything,
  describeValue,
  getOrInsertComputed,
  isRecord,
  kindOfName,
  mistake,
  options,
  requires,
  systemClock,
  timeOfStamp,
} from "@fieldmesh/core/internal";
import type { EventEnvelope } from "@fieldmesh/webhook-types";
import {
  didYouMean,
  isEvent,
  isFamily,
  type PersonalField,
  personalFields,
  secretFields,
} from "@fieldmesh/webhook-types/internal/mirror";
import { parseEvent } from "@fieldmesh/webhook-types/parse";
import type { EventStore, ObjectClaim } from "@fieldmesh/webhook-types/receiver";
import { collectEvents } from "./collect-events.ts";
import { compare, type Comparison, isSameRow, type Change } from "./compare.ts";
import type {
  Mirror,
  MirrorFinding,
  MirrorOptions,
  MirrorPlan,
  MirrorReport,
  StoredEvents,
  VerifyOptions,
} from "./mirror.ts";
import { type KeyedVersion, readVersion, isoOf } from "./version.ts";
import { clearPersonal, recordVersion } from "./record-version.ts";
import { rowOf } from "./row.ts";
import type { Rows } from "./rows.ts";

export interface MirrorDatabase {
  /** Whether an inbox uses its client. */
  joins(inbox: EventStore): boolean;
  /** Claims the object of a version through the transaction of an inbox, as of the first claim of its event. */
  claim(
    transaction: unknown,
    read: KeyedVersion,
    work: (rows: Rows, read: KeyedVersion) => Promise<ObjectClaim>,
  ): Promise<ObjectClaim>;
  /** Runs statements without a transaction. */
  alone<T>(work: (rows: Rows) => Promise<T>): Promise<T>;
  /** Runs work in a transaction of its own. */
  write<T>(work: (rows: Rows) => Promise<T>): Promise<T>;
}

export function createMirror(
  owner: string,
  database: MirrorDatabase,
  given: MirrorOptions,
): Mirror {
  const lists = { personal: readPersonal, undeclared: readUndeclared };
  const { personal = [], undeclared = [] } = options<MirrorOptions>(owner, lists)(given);
  const stored = new Set<string>([...personal, ...undeclared]);
  // An inbox may claim the object of an event again, after handlers that have changed the event.
  const versions = new WeakMap<EventEnvelope, { readonly read: KeyedVersion | undefined }>();
  const plans = new WeakMap<MirrorPlan, Comparison>();

  const compareAll = async (
    name: string,
    events: StoredEvents,
    verifying: VerifyOptions | undefined,
  ): Promise<Comparison> => {
    const table = { tenant: anything, clock: anything };
    const { tenant = "", clock = systemClock } = options<VerifyOptions>(
      `${name} of a mirror`,
      table,
    )(verifying);
    const iterable = Object(events) as Partial<Iterable<unknown> & AsyncIterable<unknown>>;
    if (!(Symbol.asyncIterator in iterable) && !(isRecord(events) || Array.isArray(events)))
      throw mistake(
        `${name} requires a list of events, not ${describeValue(events)}. Pass client.events.list().`,
      );
    // Before the list, so that a database without tables costs no request.
    const firstClaims = await database.alone((rows) => rows.firstClaims(tenant));
    const now = clock.now();
    const collected = await collectEvents(events, { tenant, stored, firstClaims, now });
    return database.alone((rows) => compare(rows, tenant, collected));
  };

  return {
    needsInbox: true,
    storesEveryEvent: true,
    joins: (inbox) => database.joins(inbox),
    isOlder: needInbox,
    remember: needInbox,
    claimObject: async (
      event,
      transaction,
      { tenant = "", source = event } = { source: event },
    ) => {
      const { read } = getOrInsertComputed(versions, event, () => ({
        read: readVersion(eventIn(source), tenant, stored),
      }));
      if (read === undefined) return undefined;
      return database.claim(transaction, read, recordVersion);
    },
    firstClaim: async (_event, now, { tenant = "", source }) => {
      const read = readVersion(eventIn(source), tenant, stored);
      if (read === undefined) return now;
      const keep = (rows: Rows) => rows.keepFirst(tenant, read.version.id, isoOf(now));
      return timeOfStamp(await database.alone(keep));
    },
    verify: async (events, verifying) => (await compareAll("verify", events, verifying)).report,
    repair: async (events, verifying) => {
      const comparison = await compareAll("repair", events, verifying);
      const { report, changes } = comparison;
      checkService(report);
      const plan = { report, changes: changes.map(({ finding }) => finding) };
      plans.set(plan, comparison);
      return plan;
    },
    apply: async (plan) => {
      const comparison = plans.get(plan);
      if (comparison === undefined)
        throw requires("apply", "a plan that repair of this mirror has returned", plan);
      const { changes, erasures } = comparison;
      const changedSince: MirrorFinding[] = [];
      for (const change of changes)
        if (!(await database.write((rows) => applyChange(rows, change))))
          changedSince.push(change.finding);
      for (const { time, ...subscriber } of erasures)
        await database.write(async (rows) => {
          await rows.redact(subscriber, time);
          await clearPersonal(rows, subscriber, time);
        });
      return { written: changes.length - changedSince.length, changedSince };
    },
  };
}

async function needInbox(): Promise<never> {
  throw mistake(
    "A mirror writes in the transaction of an inbox: pass store: postgresInbox(pool) or sqliteInbox(database).",
  );
}

/** A parser of the user may have changed the event or revealed its codes, so the body is parsed again. */
function eventIn(source: unknown): EventEnvelope {
  return isEvent(source) ? (source as EventEnvelope) : parseEvent(source, { validation: "off" });
}

/** Returns whether the row was as it was read. */
async function applyChange(rows: Rows, { expected, found }: Change): Promise<boolean> {
  const { key, versions } = expected;
  const kept = [];
  for (const version of versions) kept.push(await rows.withoutErased(key, version));
  const row = rowOf(key, kept);
  if (found === undefined) return rows.add(row);
  const current = await rows.read(key);
  if (current === undefined || !isSameRow(current, found)) return false;
  return rows.write(row);
}

/** Two services have different objects. */
function checkService({ checked, notChecked, missing }: MirrorReport): void {
  if (checked > 0 || notChecked === 0 || missing.length === 0) return;
  throw new Error(
    `None of the ${notChecked} rows has a stored event, and none of the ${missing.length} objects of these events has a row. Check that the events and the database belong to the same service.`,
  );
}

function readPersonal(personal: unknown, name: string, owner: string): readonly PersonalField[] {
  const names: readonly string[] = personalFields;
  for (const field of fieldsOf(personal, `${owner}: ${name}`, "sim.msisdn"))
    if (!names.includes(String(field)))
      throw mistake(
        `${owner}: ${sayField(field)} is not a personal field of an event.${didYouMean(field, names)} All other fields are stored without being named.`,
      );
  return personal as readonly PersonalField[];
}

function readUndeclared(fields: unknown, name: string, owner: string): readonly string[] {
  for (const field of fieldsOf(fields, `${owner}: ${name}`, "sim.full_name"))
    if (typeof field !== "string" || !isLeftOut(field))
      throw mistake(
        `${owner}: ${name} has ${sayField(field)}, which is not left out because of its name. Name a family and a path, such as "sim.full_name": all other fields are stored without being named, and the codes of the spec never.`,
      );
  return fields as readonly string[];
}

function fieldsOf(given: unknown, option: string, example: string): readonly unknown[] {
  if (Array.isArray(given)) return given;
  throw mistake(
    `${option} must be a list of fields, such as ["${example}"], not ${describeValue(given)}.`,
  );
}

function sayField(field: unknown): string {
  return typeof field === "string" ? JSON.stringify(field) : describeValue(field);
}

function isLeftOut(field: string): boolean {
  const [family, ...path] = field.split(".");
  const name = path.at(-1);
  const codes = Object.values<readonly string[]>(secretFields).flat();
  return (
    isFamily(family) &&
    name !== undefined &&
    kindOfName(name) !== undefined &&
    !codes.includes(name)
  );
}
