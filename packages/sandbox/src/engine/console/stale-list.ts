import type { Layer } from "../serve/call.ts";
import type { Moment } from "../time/moment.ts";
import { mayBeStale, type FaultScript } from "../faults/fault-script.ts";
import { jsonResponse } from "../serve/responses.ts";
import { consoleError } from "./rows/errors.ts";
import { inList } from "./rows/device-records.ts";
import type { ConsoleState } from "./state/state.ts";

/** A device list, and the time of the machine until which it was shown. */
export interface PastList {
  readonly until: number;
  readonly list: unknown;
}

/**
 * The layer that plays the fault `stale`. It keeps the device list before each change while such a fault may occur, in `past`,
 * oldest first.
 */
export function lagDeviceList(
  state: ConsoleState,
  faults: () => FaultScript | undefined,
  { moment, past }: { readonly moment: Moment; readonly past: PastList[] },
): Layer {
  let script = faults();
  return (next) => async (call) => {
    if (script !== faults()) past.length = 0;
    script = faults();
    const { machine } = moment.instant();
    if (call.request.method !== "GET" && mayBeStale(script))
      past.push({
        until: machine,
        list: Array.from(state.devices.values(), (device) => inList(device, state)),
      });
    const response = await next(call);
    if (call.row !== "devices.list" || call.fault?.kind !== "stale") return response;
    const { ms = Infinity } = call.fault;
    const shown = past.find(({ until }) => until > machine - ms);
    return shown === undefined ? response : select(shown.list, new URL(call.request.url));
  };
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
