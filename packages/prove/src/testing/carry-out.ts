import type { EventEnvelope } from "@fieldmesh/webhook-types";
import type { Plan, PlannedEvent } from "../plan.ts";
import { runPlan } from "../run-plan.ts";
import type { Build, Subject } from "../subject.ts";
import type { World } from "../world.ts";
import { byHand } from "./parts.ts";

/** When each run begins. */
export const START: number = Date.parse("2026-01-01T00:00:00Z");
export const types = ["sim.activated", "sim.suspended"] as const;

/** Two events of a plan, and their ids. */
export const one: PlannedEvent = [0, 0, 0];
export const two: PlannedEvent = [1, 1, 2];
export const ONE = "evt_sim.activated_0_0";
export const TWO = "evt_sim.suspended_1_2";

/** What a receiver does with an event. It responds 200, or the status that this returns. */
export type Handle = (event: EventEnvelope, world: World) => Promise<unknown>;

/** Carries out a plan with a receiver that is written by hand, and shows what has happened. */
export async function carryOut(plan: Plan, handle: Handle, more: Omit<Subject, "receive"> = {}) {
  const lines: string[] = [];
  const worlds: World[] = [];
  const build: Build = (world) => {
    worlds.push(world);
    const receive = byHand(world, async (event) => {
      const status = await handle(event, world);
      return typeof status === "number" ? status : 200;
    });
    return { receive, ...more };
  };
  const run = await runPlan({ build, types, settle: 0 }, plan, (line) => lines.push(line));
  const sent = run.deliveries.map(({ event, status }) => [event.id, status]);
  return { run, sent, lines, worlds, moved: (worlds.at(-1)?.clock.now() ?? 0) - START };
}
