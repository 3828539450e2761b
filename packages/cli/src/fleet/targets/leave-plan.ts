import type { Context } from "../../context.ts";
import { inLanes } from "../runs/in-lanes.ts";
import { toSubject, type Fleet, type FleetDevice } from "../move/fleet.ts";
import { withSign, type FieldChanges, type PlanLine } from "../plan/plan-lines.ts";
import { convertible } from "./convertible.ts";
import { lackingSettings } from "./lacking-settings.ts";
import type { SettingsOf } from "./target-mapping.ts";
import {
  RejectedError,
  type Change,
  type Comparison,
  type TargetServer,
  type Wanted,
} from "./target-server.ts";
import type { NetworkServer } from "./targets.ts";

/** How a fleet differs from a network server. Nothing is ever deleted. */
export interface LeavePlan {
  /** The devices that an apply creates or changes. */
  readonly devices: readonly {
    readonly device: FleetDevice;
    readonly changes: readonly Change[];
  }[];
  /** Every line that is printed. */
  readonly lines: readonly PlanLine[];
}

export interface Leaving {
  readonly networkServer: NetworkServer;
  readonly server: TargetServer;
  readonly fleet: Fleet;
  readonly settingsOf: SettingsOf;
}

/** Compares a fleet with a network server. */
export async function makeLeavePlan(
  { output, signal }: Context,
  { networkServer, server, fleet, settingsOf }: Leaving,
): Promise<LeavePlan> {
  const { devices, leftOut, ...converted } = convertible(fleet, networkServer.target);
  const wanted = devices.map((device): Wanted => ({ device, settings: settingsOf(device) }));
  const reading = await server.read(wanted);
  const open = [...lackingSettings(wanted, networkServer.required), ...reading.open];
  const lost = withSign("x", [...converted.lost, ...(reading.lost ?? [])]);
  if (open.length > 0)
    return { devices: [], lines: [...withSign("!", leftOut), ...withSign("?", open), ...lost] };
  const bar = output.progress("Comparing devices", wanted.length);
  let done = 0;
  try {
    const compared = await inLanes(wanted, async (each) => {
      signal.throwIfAborted();
      const comparison = await reading.compare(each).catch(toComparison);
      bar.update(++done);
      return { device: each.device, subject: toSubject(each.device), ...comparison };
    });
    const planned = compared.filter(({ changes }) => changes.length > 0);
    const created = planned.filter(({ isNew }) => isNew).map(({ subject }) => subject);
    const changed = planned
      .filter(({ isNew }) => !isNew)
      .map(({ subject, changes }) => ({
        ...subject,
        what: changes.map(({ what }) => what).join(", "),
        ...fieldsOf(changes),
      }));
    const differing = compared.flatMap(({ subject, byHand }) =>
      byHand.map((difference) => ({ ...subject, ...difference })),
    );
    const lines = [
      ...withSign("+", created),
      ...withSign("~", changed),
      ...withSign("!", [...leftOut, ...differing]),
      ...lost,
    ];
    return { devices: planned, lines };
  } finally {
    bar.end();
  }
}

/** Leaves a device that the server does not show to the user. */
function toComparison(error: unknown): Comparison {
  if (!(error instanceof RejectedError)) throw error;
  return { isNew: false, changes: [], byHand: [{ what: error.message }] };
}

function fieldsOf(changes: readonly Change[]): Pick<PlanLine, "fields"> {
  const fields: FieldChanges = Object.assign({}, ...changes.map((change) => change.fields ?? {}));
  return Object.keys(fields).length === 0 ? {} : { fields };
}
