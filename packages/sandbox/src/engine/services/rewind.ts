import { mistake } from "@fieldmesh/core/internal";
import type { Clock } from "@fieldmesh/core";
import type { PlayedFaults } from "../faults/fault-script.ts";
import type { WritableLog } from "../log/request-log.ts";
import type { CheckedSnapshot } from "./snapshot.ts";
import { canBeSet } from "../time/clocks.ts";
import { type ArrivalState, type Journal, outOfReach } from "../time/journal.ts";
import type { WebhookService } from "../webhooks/create-webhooks.ts";
import type { Rewound } from "./feed.ts";

/** The services now. */
export interface Running {
  readonly webhooks: WebhookService;
  readonly faults: PlayedFaults;
  /** Changes with each restore, reset and step back. */
  readonly generation: number;
  readonly count: () => Omit<ArrivalState, "faults" | "size">;
  readonly save: () => CheckedSnapshot;
}

export interface Rewindable {
  readonly clock: Clock;
  readonly log: WritableLog;
  readonly journal: Pick<Journal<unknown, unknown>, "find" | "mark">;
  readonly limit: number;
  readonly running: Running;
  /** Replaces the faults, and remembers it. */
  readonly continueFaults: (faults: PlayedFaults) => void;
  /** Steps back. `after` makes changes before any request that waits. Returns a function that puts the requests back in the log. */
  readonly stepBack: (number: number, after: () => void) => Promise<() => void>;
  /** Loads a snapshot, and `after` it makes changes. */
  readonly load: (saved: CheckedSnapshot, after: () => void) => void;
}

interface Undo {
  readonly snapshot: CheckedSnapshot;
  readonly putBack: () => void;
  readonly restoreJournal: () => void;
  readonly state: string;
}

export type Rewind = ReturnType<typeof createRewind>;

/** Goes back for a person, who keeps what was set up meanwhile, and may undo it. Keeps one snapshot, in memory only. */
export function createRewind(own: Rewindable) {
  const { clock, log, journal, running } = own;
  let undo: Undo | undefined;

  /** Differs as soon as a request, an event, a reset or a restore has happened. */
  const state = (): string =>
    [log.lastNumber, running.generation, running.webhooks.api.events().length].join();
  const isUndoable = (): boolean => undo?.state === state();

  /** Returns what would be removed. Throws a RangeError for a request that is not remembered. */
  const preview = (number: number): Rewound => {
    const arrival = journal.find(number);
    if (arrival === undefined) throw outOfReach(number, own.limit);
    const now = running.count();
    return {
      before: number,
      requests: log.requests().filter((request) => request.number >= number).length,
      devices: now.devices - arrival.devices,
      deliveries: now.deliveries - arrival.deliveries,
      ms: canBeSet(clock) ? clock.now() - arrival.time : 0,
    };
  };

  /** Returns a function that sets everything up as it is now. */
  const keepSetup = (): (() => void) => {
    const { webhooks, faults } = running;
    const [setup, position] = [webhooks.setup(), webhooks.random.position()];
    return () => {
      running.webhooks.configure(setup, position);
      own.continueFaults(faults);
    };
  };

  return {
    preview,
    /** Goes back to before a request. Webhook endpoints, disturbances and faults stay as they are now. */
    back: async (number: number) => {
      const rewound = preview(number);
      const [snapshot, restoreJournal] = [running.save(), journal.mark()];
      const putBack = await own.stepBack(number, keepSetup());
      undo = { snapshot, putBack, restoreJournal, state: state() };
      return rewound;
    },
    /** Undoes the last `back`. Throws a TypeError once something else has happened. */
    undo: (): void => {
      if (undo === undefined || !isUndoable())
        throw mistake(
          "There is nothing to undo. Going back can be undone until the next request, event, reset or restore.",
        );
      const { snapshot, putBack, restoreJournal } = undo;
      const setUp = keepSetup();
      undo = undefined;
      own.load(snapshot, () => {
        restoreJournal();
        putBack();
        setUp();
      });
    },
    /** The number of the last request before `undo` would be too late. `undefined` if there is nothing to undo. */
    get undoableAfter() {
      return isUndoable() ? log.lastNumber : undefined;
    },
  };
}
