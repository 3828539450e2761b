import { catchUp, createMobileClient } from "@fieldmesh/mobile-client";
import { createEventRouter } from "@fieldmesh/webhook-types/router";
import { memoryStore } from "@fieldmesh/webhook-types/receiver";
import { sampleEvent } from "@fieldmesh/webhook-types/samples";
import type { Part, Wait } from "../row.ts";
import { HANDLED, receiving } from "./receiver.ts";

/** Handlers have no limit. When the caller gives up, the row shows what comes next: the same event again. */
const endless = {
  limit: undefined,
  limitText: "none: its lease is extended while it runs",
};

/** Returns a function that works, and works again if `abort` is called while it does. */
function untilGivenUp(work: () => () => Promise<string>) {
  let aborting = Promise.withResolvers<void>();
  const use = async (): Promise<string> => {
    aborting = Promise.withResolvers();
    const run = work();
    return Promise.race([run(), aborting.promise.then(run)]);
  };
  return { use, abort: () => aborting.resolve() };
}

const KEY = "sk_live_4eC39HqLyjWDarjtT1zd";
const BOTH_HANDLED = "2 handled, 0 in progress";

export const handlersWaits: readonly Wait[] = [
  {
    part: "a handler",
    ...endless,
    after: "a delivery of the same event is not handled: `in_progress`, and the sender retries",
    reported: "the outcomes of these deliveries",
    recovers: "the event is done when the handler ends",
    start: (part: Part) => {
      const deliver = receiving({ handlers: { "*": () => part(undefined, "odd") as void } });
      let count = 0;
      return untilGivenUp(() => {
        const id = `evt_${(count += 1)}`;
        return () => deliver(id);
      });
    },
    ends: { never: "503 in_progress", late: HANDLED, twice: HANDLED, odd: HANDLED },
    works: HANDLED,
  },
  {
    part: "a handler of `catchUp`",
    ...endless,
    after: "another run leaves out this event, which is `in_progress`, and handles the others",
    reported: "`onOutcome` and the totals of the other run",
    recovers: "the event is done when the handler ends, and a later run finds it",
    start: (part: Part) => {
      const store = memoryStore();
      const router = createEventRouter({ "*": () => part(undefined, "odd") as void });
      let count = 0;
      return untilGivenUp(() => {
        count += 1;
        const data = [1, 2].map((each) =>
          sampleEvent("sim.activated", { id: `evt_${count}_${each}` }),
        );
        const fetch = async () => Response.json({ data, has_more: false });
        const client = createMobileClient({ baseUrl: "https://api.test", apiKey: KEY, fetch });
        return async () => {
          const totals = await catchUp({ client, since: "2000-01-01", router, store });
          return `${totals.handled} handled, ${totals.in_progress} in progress`;
        };
      });
    },
    ends: {
      never: "1 handled, 1 in progress",
      late: BOTH_HANDLED,
      twice: BOTH_HANDLED,
      odd: BOTH_HANDLED,
    },
    works: BOTH_HANDLED,
  },
];
