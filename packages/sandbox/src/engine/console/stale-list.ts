import type { Layer } from "../call.ts";
import { mayBeStale, type FaultScript } from "../faults/fault-script.ts";
import { jsonResponse } from "../responses.ts";
import { inList } from "./rows/device-records.ts";
import type { ConsoleState } from "./state/state.ts";

/** The layer that plays the fault `stale`. It keeps the device list before each change while such a fault may occur. */
export function lagDeviceList(state: ConsoleState, faults: () => FaultScript | undefined): Layer {
  let script: FaultScript | undefined;
  /** Oldest first. Each was the list until the time of the next change. */
  let past: { readonly until: number; readonly list: unknown }[] = [];
  return (next) => async (call) => {
    if (script !== faults()) past = [];
    script = faults();
    if (call.request.method !== "GET" && mayBeStale(script))
      past.push({
        until: Date.now(),
        list: Array.from(state.devices.values(), (device) => inList(device, state)),
      });
    const response = await next(call);
    if (call.row !== "devices.list" || call.fault?.kind !== "stale") return response;
    const { ms = Infinity } = call.fault;
    const shown = past.find(({ until }) => until > Date.now() - ms);
    return shown === undefined ? response : jsonResponse(shown.list);
  };
}
