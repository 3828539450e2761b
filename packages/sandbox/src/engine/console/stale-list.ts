import { parseJson, stringifyJson } from "@fieldmesh/core";
import type { ConsoleRows } from "../saved/snapshot-schema.ts";
import type { Layer } from "../serve/call.ts";
import type { Moment } from "../time/moment.ts";
import { mayBeStale, type FaultScript } from "../faults/fault-script.ts";
import { jsonResponse } from "../serve/responses.ts";
import { consoleError } from "./rows/errors.ts";
import { inList } from "./rows/device-records.ts";
import type { ConsoleState, DeviceRecord } from "./state/state.ts";

/** What a device list showed, and the time of the machine until which it was shown. Most are never shown again, so it is not written. */
export interface PastList {
  readonly until: number;
  readonly devices: readonly DeviceRecord[];
  readonly labels: ConsoleState["labels"];
}

/** An earlier device list of a snapshot, as JSON. */
export type WrittenList = ConsoleRows["past"][number];

/** How many earlier lists are kept. Beyond it, the first one stays, because a list may be stale without limit. */
const MOST_LISTS = 1_000;

/** The layer of the fault `stale`. While it may occur, keeps the device list before each change in `past`, oldest first. */
export function lagDeviceList(
  state: ConsoleState,
  faults: () => FaultScript | undefined,
  { moment, past }: { readonly moment: Moment; readonly past: (PastList | WrittenList)[] },
): Layer {
  let script = faults();
  return (next) => async (call) => {
    if (script !== faults()) past.length = 0;
    script = faults();
    const { machine } = moment.instant();
    if (call.request.method !== "GET" && mayBeStale(script))
      past.push({ until: machine, ...copyOf(state) });
    if (past.length > MOST_LISTS) past.splice(1, 1);
    const response = await next(call);
    if (call.row !== "devices.list" || call.fault?.kind !== "stale") return response;
    const { ms = Infinity } = call.fault;
    const shown = past.find(({ until }) => until > machine - ms);
    return shown === undefined ? response : select(listOf(shown, state), new URL(call.request.url));
  };
}

/** A record of a device never changes. */
function copyOf({ devices, labels }: ConsoleState): Omit<PastList, "until"> {
  return {
    devices: [...devices.values()],
    labels: new Map(Array.from(labels, ([id, label]) => [id, { ...label }])),
  };
}

export function writeList(past: PastList | WrittenList, state: ConsoleState): WrittenList {
  return "list" in past ? past : { until: past.until, list: stringifyJson(listOf(past, state)) };
}

function listOf(past: PastList | WrittenList, state: ConsoleState): unknown {
  if ("list" in past) return parseJson(past.list);
  const { devices, labels } = past;
  return devices.map((device) => inList(device, { ...state, labels }));
}

/** Responds with the devices of an earlier list that a lookup by `dev_eui` matches, like the current list. */
function select(list: unknown, { searchParams }: URL): Response {
  if (!searchParams.has("dev_eui")) return jsonResponse(list);
  const wanted = ["dev_eui", "app_eui", "app_key"].flatMap((name) => {
    const value = searchParams.get(name);
    return value === null ? [] : [[name, value.toUpperCase()] as const];
  });
  const found = (list as readonly Readonly<Record<string, unknown>>[]).filter((device) =>
    wanted.every(([name, value]) => String(device[name]).toUpperCase() === value),
  );
  return found.length === 0 ? consoleError(404, "Devices not found") : jsonResponse(found);
}
