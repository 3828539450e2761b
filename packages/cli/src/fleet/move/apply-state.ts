import type { BulkCheckpoint } from "@fieldmesh/console-client";
import type { Lock } from "@fieldmesh/sandbox/internal";
import type { Context } from "../../context.ts";
import type { PendingCreation } from "../runs/create-once.ts";
import { stateOf } from "../runs/one-run.ts";
import { checkSameConsole, whichConsole, type WhichConsole } from "../runs/which-console.ts";

/** What must survive a kill. It contains no key. The console shows the rest of the progress. */
interface State {
  readonly console: WhichConsole;
  /** The place of the run that creates devices. */
  readonly devices?: BulkCheckpoint;
  /** The last run that changes devices. */
  readonly change?: {
    /** Such as `label "Pumps"`. */
    readonly step: string;
    /** A digit for each device of the fleet: `1` for those that it changes. The checkpoint belongs to exactly these. */
    readonly places: string;
    readonly checkpoint: BulkCheckpoint;
  };
  /** A request that creates something else, until its result is known. */
  readonly creation?: PendingCreation | undefined;
}

export type ApplyState = Awaited<ReturnType<typeof openApplyState>>;

/** Opens the state of an apply. Throws a CliError if the apply was begun in another console. */
export async function openApplyState(context: Context, path: string, lock: Lock) {
  const file = stateOf<State>(context, path, { kind: "fleet apply", lock });
  let state = await file.read();
  if (state !== undefined) await checkSameConsole(context, path, state.console);
  return {
    path,
    get now(): Partial<State> {
      return state ?? {};
    },
    /** Stores a part, and leaves the others as they are. */
    async keep(part: Omit<Partial<State>, "console">): Promise<void> {
      state = { ...(state ?? { console: await whichConsole(context) }), ...part };
      await file.write(state);
    },
    remove: () => file.remove(),
  };
}
