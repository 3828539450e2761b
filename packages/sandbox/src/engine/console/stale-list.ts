import type { Layer } from "../serve/call.ts";
import type { Moment } from "../time/moment.ts";
import { mayBeStale, type FaultScript } from "../faults/fault-script.ts";
import { jsonResponse } from "../serve/responses.ts";
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
    return shown === undefined ? response : jsonResponse(shown.list);
  };
}
