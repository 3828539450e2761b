import {
  describeValue,
  hasMethod,
  isDate,
  isRecord,
  mistake,
  recordOf,
} from "@fieldmesh/core/internal";
import type { SavedConsole } from "../console/saved-console.ts";
import type { FaultRule, FaultScript } from "../faults/fault-script.ts";
import type { EndpointFunctions } from "../webhooks/saved-webhooks.ts";
import {
  SNAPSHOT_FORMAT,
  SNAPSHOT_VERSION,
  type SnapshotRows,
  snapshotSchema,
} from "../saved/snapshot-schema.ts";

/**
 * The whole state of a sandbox as JSON: its data, random sequences, faults, rate limits and deliveries, and the time.
 *
 * It contains keys, the `app_key` of each device, credentials and signing secrets. Printing it shows none of them, and
 * `JSON.stringify` writes all of them. The log of requests is not part of it.
 */
export interface Snapshot {
  /** Identifies the JSON as a snapshot. */
  readonly format: "fieldmesh-sandbox-snapshot";
  /** The version of this format. */
  readonly version: 2;
  /** The seed of the sandbox. */
  readonly seed: number | string;
  /** In milliseconds since 1970, by the clock of the sandbox. */
  readonly time: number;
  /** The time at which the sandbox was created. The chain of the ledger begins with it. */
  readonly began: number;
  /** The options of the services. */
  readonly options: { readonly [service: string]: unknown };
  /** The script of faults, and how often each fault was applied. */
  readonly faults: object;
  /** The data of each service. Its form is not part of the interface. */
  readonly services: object;
}

export interface CheckedSnapshot extends Omit<SnapshotRows, "services"> {
  readonly services: SavedServices;
}

/** The data of each service. */
export type SavedServices = Omit<SnapshotRows["services"], "console"> & {
  readonly console: SavedConsole;
};

/** What JSON cannot hold. A snapshot of this process has it, and one from a file does not. */
export interface SnapshotFunctions {
  readonly faults: FaultScript | undefined;
  readonly endpoints: EndpointFunctions;
}

const functions = new WeakMap<object, SnapshotFunctions>();
const INSPECT = Symbol.for("nodejs.util.inspect.custom");

export function createSnapshot(
  parts: Omit<CheckedSnapshot, "format" | "version">,
  own: SnapshotFunctions,
): CheckedSnapshot {
  const snapshot: CheckedSnapshot = {
    format: SNAPSHOT_FORMAT,
    version: SNAPSHOT_VERSION,
    ...parts,
  };
  const { format, version, seed, time } = snapshot;
  const shown = { format, version, seed, time, services: "[redacted]" };
  // Not enumerable, so that the JSON does not have it.
  Object.defineProperty(snapshot, INSPECT, { value: () => shown });
  functions.set(snapshot, own);
  return snapshot;
}

export function functionsOfSnapshot(snapshot: CheckedSnapshot): SnapshotFunctions {
  return functions.get(snapshot) ?? { faults: undefined, endpoints: new Map() };
}

/** Checks a snapshot. Throws a TypeError that names what does not fit, and never its value. */
export function checkSnapshot(value: unknown): CheckedSnapshot {
  // It comes from this process, which has not changed it.
  if (isRecord(value) && functions.has(value)) return value as unknown as CheckedSnapshot;
  if (!isRecord(value) || value["format"] !== SNAPSHOT_FORMAT)
    throw mistake(
      `This is not a snapshot of a sandbox: pass what snapshot() returned, not ${describeValue(value)}.`,
    );
  if (value["version"] !== SNAPSHOT_VERSION)
    throw mistake(
      `This sandbox reads snapshots of version ${SNAPSHOT_VERSION}, and this one has another version. Make a new one with snapshot().`,
    );
  const { success, data, error } = snapshotSchema.safeParse(toPlain(value));
  if (success) return data;
  const [issue] = error.issues;
  const keys = issue?.code === "unrecognized_keys" ? issue.keys : [];
  const at = [...(issue?.path ?? []), ...keys].map(String).join(".");
  throw mistake(
    `The snapshot is not valid at ${at || "its top level"}. Make a new one with snapshot(), and copy it as JSON: structuredClone loses its devices.`,
  );
}

/** Converts a copy of a snapshot of this process, whose devices are not rows yet. */
function toPlain(value: Readonly<Record<string, unknown>>): unknown {
  const { devices } = recordOf(recordOf(value["services"])["console"]);
  return hasMethod(devices, "toJSON") ? JSON.parse(JSON.stringify(value)) : value;
}

/** Converts faults to JSON. A function has no such form. */
export function saveFaults(script: FaultScript | undefined): CheckedSnapshot["faults"]["script"] {
  if (script === undefined || typeof script === "function") return undefined;
  if ("rate" in script)
    return { ...script, ...(script.kinds && { kinds: script.kinds.map(savePart) }) };
  return script.map((rule) => savePart(rule) as Record<string, unknown>);
}

function savePart(part: unknown): unknown {
  return mapFields(part, (value) => {
    // A date is sent in this form.
    if (isDate(value)) return value.toUTCString();
    return value === Number.POSITIVE_INFINITY ? null : value;
  });
}

export function loadFaults(script: CheckedSnapshot["faults"]["script"]): FaultScript | undefined {
  if (script === undefined) return undefined;
  if (Array.isArray(script)) return script.map((rule) => loadPart(rule) as FaultRule);
  const { kinds } = script;
  const rate = script as unknown as Extract<FaultScript, { rate: number }>;
  return Array.isArray(kinds)
    ? { ...rate, kinds: kinds.map((kind) => loadPart(kind) as never) }
    : rate;
}

/** The numbers of a fault can be infinite, and none of its fields is `null`. */
function loadPart(part: unknown): unknown {
  return mapFields(part, (value) => (value === null ? Infinity : value));
}

function mapFields(part: unknown, change: (value: unknown) => unknown): unknown {
  if (!isRecord(part)) return part;
  return Object.fromEntries(Object.entries(part).map(([name, value]) => [name, change(value)]));
}
