import { mistake } from "@fieldmesh/core/internal";
import type { Clock } from "@fieldmesh/core";
import * as z from "@fieldmesh/core/internal/zod";
import type { Feed } from "../services/feed.ts";
import { jsonResponse } from "../serve/responses.ts";
import type { Served } from "../services/served.ts";
import { canBeSet, isSteerable } from "../time/clocks.ts";
import type { Rewind } from "../services/rewind.ts";
import type { Forks } from "../services/forks.ts";
import type { Snapshot } from "../services/snapshot.ts";
import type { Webhooks } from "../webhooks/webhooks.ts";
import { viewClock } from "./views.ts";
import { type Actions, checkBody } from "../serve/serve-actions.ts";

export interface Timed {
  readonly clock: Clock;
  readonly feed: Feed;
  readonly webhooks: Webhooks;
  readonly forks: Forks;
  readonly served: Served;
  readonly snapshot: () => Snapshot;
  readonly restore: (snapshot: Snapshot) => void;
  readonly stepBack: (number: number) => Promise<void>;
  readonly rewind: Rewind;
  /** Adds a fork to the served ones. Returns its id. */
  readonly serveFork: () => string;
  /** Whether the signing secrets may be shown: not under an address that other machines reach. */
  readonly showsSigningSecrets: boolean;
}

const backBody = z.strictObject({ before: z.int().check(z.minimum(1)) });
const clockBody = z.discriminatedUnion("action", [
  z.strictObject({ action: z.literal("pause") }),
  z.strictObject({ action: z.literal("run") }),
  z.strictObject({ action: z.literal("advance"), ms: z.number().check(z.minimum(0)) }),
]);

/** The controls of time below `/sandbox`. A snapshot contains keys, so it is the response to a POST, like all secrets. */
export function timeActions(timed: Timed): Actions {
  return {
    "POST /snapshot": () => {
      if (!timed.showsSigningSecrets)
        throw mistake(
          "A sandbox that other machines can reach does not send a snapshot, because it contains signing secrets. Start the sandbox with --save to write one.",
        );
      return timed.snapshot();
    },
    "POST /restore": ({ body }) => {
      timed.restore(body as unknown as Snapshot);
      return clockOf(timed);
    },
    "POST /back": async ({ body }) => {
      await timed.stepBack(checkBody(backBody, body).before);
      return clockOf(timed);
    },
    "GET /rewind/:id": ({ id }) => timed.rewind.preview(Number(id)),
    "POST /rewind": async ({ body }) => {
      const rewound = await timed.rewind.back(checkBody(backBody, body).before);
      timed.feed.report({ kind: "rewind", rewound });
      return rewound;
    },
    "POST /undo": () => {
      timed.rewind.undo();
      timed.feed.report({ kind: "undo" });
      return clockOf(timed);
    },
    "POST /forks": () => jsonResponse(forkOf(timed, timed.serveFork()), { status: 201 }),
    "GET /forks": () => timed.forks.ids.map((id) => forkOf(timed, id)),
    "DELETE /forks/:id": ({ id }) => timed.forks.remove(id),
    "GET /clock": () => clockOf(timed),
    "POST /clock": async ({ body }) => {
      await moveClock(timed, checkBody(clockBody, body));
      timed.feed.report({ kind: "clock" });
      return clockOf(timed);
    },
  };
}

async function moveClock(
  { clock, webhooks }: Timed,
  move: z.infer<typeof clockBody>,
): Promise<void> {
  if (move.action === "advance") {
    if (!canBeSet(clock)) throw mistake("The clock of this sandbox cannot be advanced.");
    // From one attempt of a delivery to the next, so that each one happens at its time.
    return webhooks.advance(move.ms);
  }
  if (!isSteerable(clock))
    throw mistake(
      `The clock of this sandbox cannot ${move.action}: pass clock: createSteerableClock().`,
    );
  clock[move.action]();
}

/** The clock as programs receive it. */
function clockOf({ clock }: Timed): object {
  const { now, kind, isPaused } = viewClock(clock);
  return { time: now, iso: new Date(now).toISOString(), kind, paused: isPaused };
}

/** A fork with the path of each service. */
function forkOf({ served }: Timed, id: string): object {
  const path = `/forks/${id}`;
  const services = Object.entries(served).map(([name, { prefix }]) => [name, path + prefix]);
  return { id, path, services: Object.fromEntries(services) };
}
