import type { Context } from "../../context.ts";
import { inLanes } from "../in-lanes.ts";
import { nameOf, type Fleet } from "../move/fleet.ts";
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
import type { TargetFacts } from "./targets.ts";

/** How a fleet differs from a network server. Nothing is ever deleted. */
export interface LeavePlan {
  readonly devices: readonly PlannedDevice[];
  /** What an apply leaves as it is. */
  readonly byHand: readonly string[];
  /** What the mapping file has to say first. */
  readonly open: readonly string[];
  /** What the server cannot hold: no difference that anyone could remove. */
  readonly lost: readonly string[];
}

/** A device that an apply creates or changes. */
export interface PlannedDevice {
  /** As people know it. */
  readonly name: string;
  readonly isNew: boolean;
  readonly changes: readonly Change[];
}

export interface Leaving {
  readonly facts: TargetFacts;
  readonly server: TargetServer;
  readonly fleet: Fleet;
  readonly settingsOf: SettingsOf;
}

/** Compares a fleet with a network server. */
export async function makeLeavePlan(
  { output, signal }: Context,
  { facts, server, fleet, settingsOf }: Leaving,
): Promise<LeavePlan> {
  const { devices, leftOut, ...converted } = convertible(fleet, facts.target);
  const wanted = devices.map((device): Wanted => ({ device, settings: settingsOf(device) }));
  const lacking = lackingSettings(wanted, facts.required);
  const reading = await server.read(wanted);
  const lost = [...converted.lost, ...(reading.lost ?? [])];
  const open = [...lacking.map(({ why, advice }) => `${why} ${advice}`), ...reading.open];
  if (open.length > 0) return { devices: [], byHand: leftOut, open, lost };
  const bar = output.progress("Comparing devices", wanted.length);
  let compared = 0;
  try {
    const comparisons = await inLanes(wanted, async (each) => {
      signal.throwIfAborted();
      const comparison = await reading.compare(each).catch(toComparison);
      bar.update(++compared);
      return { name: nameOf(each.device), ...comparison };
    });
    const differences = comparisons.flatMap(({ name, byHand }) =>
      byHand.map((what) => `device ${name}: ${what}`),
    );
    const planned = comparisons.filter(({ changes }) => changes.length > 0);
    return { devices: planned, byHand: [...leftOut, ...differences], open, lost };
  } finally {
    bar.end();
  }
}

/** A device that the server does not show is left to people. */
function toComparison(error: unknown): Comparison {
  if (!(error instanceof RejectedError)) throw error;
  return { isNew: false, changes: [], byHand: [error.message] };
}

/** The numbers of a plan. */
export function sumUp({ devices, byHand, open, lost }: LeavePlan) {
  const create = devices.filter(({ isNew }) => isNew).length;
  return {
    create,
    change: devices.length - create,
    by_hand: byHand.length,
    open: open.length,
    lost: lost.length,
  };
}
