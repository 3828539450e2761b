import { createLedgerClient } from "@fieldmesh/ledger-client";
import { catchUp, createMobileClient, type CatchUpOptions } from "@fieldmesh/mobile-client";
import { createEventRouter } from "@fieldmesh/webhook-types/router";
import { memoryStore } from "@fieldmesh/webhook-types/receiver";
import { sampleEvent } from "@fieldmesh/webhook-types/samples";
import { sendJson, startOrigin, type Respond } from "../../parts/origin.ts";
import { KEY } from "../../run/canary.ts";
import {
  never,
  otherCases,
  rejects,
  shown,
  spoilOnce,
  throws,
  within,
  type OtherRow,
} from "./part.ts";

const PATIENCE = 25_000;
// Long enough for the other calls, on a busy machine too.
const QUICK = { timeout: 5_000, totalTimeout: 8_000, retry: { baseDelay: 1, maxDelay: 1 } };
const named = (error: unknown) => (error instanceof Error ? error.name : String(error));

/** A walk through three pages of two accounts each, and, after an error, the same walk again. */
interface PagerRow extends Omit<OtherRow, "run"> {
  /** What the server does at the second page, the first time. */
  readonly bad?: Respond;
  readonly change?: (checkpoint: Record<string, unknown>) => void;
  readonly abortAfter?: number;
}

const account = (number: number) => ({
  address: `13AHnyqWJH2pMEzrLH2ncdqtWRVvW8c5vGmWYJdm8rH4PQMLUq${number}`,
  balance: number,
  dc_balance: 0,
  nonce: number,
  block: 1,
});
const pageOf = (first: number, cursor?: string) =>
  JSON.stringify({ data: [account(first), account(first + 1)], cursor });
const RESUMED =
  "The walk rejects, and its next call resumes at the same place: no account is lost or returned twice.";

const pagerRows: readonly PagerRow[] = [
  {
    fault: "the server never responds to a page",
    bad: () => undefined,
    ends: "TimeoutError after 2, then 6",
    sentence: RESUMED,
  },
  {
    fault: "the server responds to a page with null",
    bad: (_, response) => sendJson(response, 200, "null"),
    ends: "ResponseValidationError after 2, then 6",
    sentence: RESUMED,
  },
  {
    fault: "the server responds to a page with a page of another site",
    bad: (_, response) => response.writeHead(200, { "content-type": "text/html" }).end("<html>"),
    ends: "ResponseValidationError after 2, then 6",
    sentence: RESUMED,
  },
  {
    fault: "a page ends in the middle of an account",
    bad: (_, response) => sendJson(response, 200, pageOf(2, "c").slice(0, 40)),
    ends: "ConnectionError after 2, then 6",
    sentence: RESUMED,
  },
  {
    fault: "the server never responds to a page, and the signal aborts",
    bad: () => undefined,
    abortAfter: 3_000,
    ends: "AbortError after 2, then 6",
    sentence:
      "The walk ends with the signal. A walk from its checkpoint returns the other accounts.",
  },
  {
    fault: "a stored checkpoint has one changed digit",
    change: (checkpoint) => void (checkpoint["items"] = 3),
    ends: "CheckpointError after 0",
    sentence: "The checkpoint is rejected before anything is sent.",
  },
  {
    fault: "a stored checkpoint lacks a field",
    change: (checkpoint) => void delete checkpoint["anchor"],
    ends: "CheckpointError after 0",
    sentence: "The checkpoint is rejected before anything is sent.",
  },
  {
    fault: "a stored checkpoint has another cursor",
    change: (checkpoint) => void (checkpoint["cursor"] = "d"),
    ends: "CheckpointError after 0",
    sentence: "The checkpoint is rejected before anything is sent.",
  },
];

async function runPager({ bad, change, abortAfter }: PagerRow): Promise<string> {
  let isFirst = true;
  const origin = await startOrigin((request, response, number) => {
    const cursor = new URL(request.url ?? "", "http://host").searchParams.get("cursor");
    if (cursor === null) return sendJson(response, 200, pageOf(0, "b"));
    if (cursor === "c") return sendJson(response, 200, pageOf(4));
    if (isFirst && bad !== undefined) {
      isFirst = false;
      return bad(request, response, number);
    }
    return sendJson(response, 200, pageOf(2, "c"));
  });
  try {
    const client = createLedgerClient({ baseUrl: origin.url, ...QUICK, retry: { attempts: 1 } });
    const seen: string[] = [];
    const signal = abortAfter === undefined ? {} : { signal: AbortSignal.timeout(abortAfter) };
    let walk = client.accounts.list({}, { prefetch: 0, ...signal }).walk();
    const read = async (most = Infinity): Promise<string> => {
      for (let next; seen.length < most && (next = await walk.next()).done !== true;)
        seen.push(next.value.address);
      return String(new Set(seen).size);
    };
    const failed = (error: unknown) => `${named(error)} after ${seen.length}`;
    if (change !== undefined) {
      await read(2);
      const checkpoint = JSON.parse(JSON.stringify(walk.checkpoint())) as Record<string, unknown>;
      change(checkpoint);
      seen.length = 0;
      walk = client.accounts.list({}, { prefetch: 0, checkpoint: checkpoint as never }).walk();
      return await within(PATIENCE, read().catch(failed));
    }
    const first = await within(PATIENCE, read().catch(failed));
    // A signal that has aborted ends every call of its walk.
    if (abortAfter !== undefined)
      walk = client.accounts.list({}, { checkpoint: walk.checkpoint() }).walk();
    return `${first}, then ${await within(PATIENCE, read().catch(failed))}`;
  } finally {
    await origin[Symbol.asyncDispose]();
  }
}

/** Two runs of catchUp over three events. The part misbehaves once, in the first one. */
interface CatchUpRow extends Omit<OtherRow, "run"> {
  readonly options?: () => Partial<CatchUpOptions>;
  readonly respond?: () => Respond;
  readonly items?: readonly unknown[];
}

const events = [1, 2, 3].map((number) => ({
  ...sampleEvent("sim.activated"),
  id: `evt_${number}`,
}));
const list = (items: readonly unknown[]) => JSON.stringify({ data: items });
const store = (name: "claim" | "complete", bad: () => unknown) => (): Partial<CatchUpOptions> => ({
  lease: 500,
  store: spoilOnce(memoryStore(), name, bad),
});
const FIRST_FAILS =
  "The event counts as store_failed, and the others are handled. The next run handles it.";

const catchUpRows: readonly CatchUpRow[] = [
  {
    fault: "claim of the store never settles",
    options: store("claim", never),
    ends: "handled 2 store_failed 1, then duplicate 2 handled 1, handled ×3",
    sentence: FIRST_FAILS,
  },
  {
    fault: "claim of the store rejects",
    options: store("claim", rejects(new Error("of the store"))),
    ends: "handled 2 store_failed 1, then duplicate 2 handled 1, handled ×3",
    sentence: FIRST_FAILS,
  },
  {
    fault: "claim of the store returns undefined",
    options: store("claim", async () => undefined),
    ends: "handled 2 store_failed 1, then duplicate 2 handled 1, handled ×3",
    sentence: FIRST_FAILS,
  },
  {
    fault: "complete of the store never settles",
    options: store("complete", never),
    ends: "handled 2 store_failed 1, then duplicate 2 handled 1, handled ×4",
    sentence:
      "The handlers have run, and the event counts as store_failed. The next run handles it again.",
  },
  {
    fault: "the server never responds to the list",
    respond: () => {
      let isFirst = true;
      return (_, response) => {
        if (!isFirst) return sendJson(response, 200, list(events));
        isFirst = false;
        return undefined;
      };
    },
    ends: "TimeoutError, then handled 3, handled ×3",
    sentence: "The run rejects at the timeout of the client. The next one handles every event.",
  },
  {
    fault: "the server never responds to the list, and the signal aborts",
    respond: () => {
      let isFirst = true;
      return (_, response) => {
        if (!isFirst) return sendJson(response, 200, list(events));
        isFirst = false;
        return undefined;
      };
    },
    options: () => ({ signal: AbortSignal.timeout(500) }),
    ends: "AbortError, then AbortError, handled ×0",
    sentence: "The run ends with its signal.",
  },
  {
    fault: "the list contains null, a number and an event without a type",
    items: [null, 7, { id: "evt_4" }, ...events],
    ends: "handled 3 not_parsed 3, then duplicate 3 not_parsed 3, handled ×3",
    sentence: "They count as not_parsed, and every event is handled.",
  },
  {
    fault: "the list contains one event twice",
    items: [events[0], ...events],
    ends: "duplicate 1 handled 3, then duplicate 4, handled ×3",
    sentence: "It is handled once.",
  },
  {
    fault: "onOutcome never settles",
    options: () => ({ onOutcome: never as () => void }),
    ends: "handled 3, then duplicate 3, handled ×3",
    sentence: "Every event is handled once.",
  },
  {
    fault: "onOutcome throws",
    options: () => ({ onOutcome: throws(new Error("of the report")) }),
    ends: "handled 3, then duplicate 3, handled ×3",
    sentence: "Every event is handled once.",
  },
  {
    fault: "parse throws an error of its own",
    options: () => ({ parse: throws(new RangeError("of the parser")) as never }),
    ends: "RangeError, then RangeError, handled ×0",
    sentence: "The run rejects with the error, and no handler runs.",
  },
];

async function runCatchUp({
  options = () => ({}),
  respond,
  items = events,
}: CatchUpRow): Promise<string> {
  const origin = await startOrigin(
    respond?.() ?? ((_, response) => sendJson(response, 200, list(items))),
  );
  let handled = 0;
  const seen: unknown[] = [];
  try {
    const client = createMobileClient({
      baseUrl: origin.url,
      apiKey: `sk_sandbox_${KEY}`,
      ...QUICK,
      retry: { attempts: 1 },
    });
    const router = createEventRouter({ "sim.activated": () => void handled++ });
    const given = {
      client,
      since: "2020-01-01T00:00:00Z",
      router,
      store: memoryStore(),
      ...options(),
    };
    const ends: string[] = [];
    for (let number = 0; number < 2; number++) {
      const start = async () =>
        Object.entries(await catchUp(given))
          .filter(([, count]) => count > 0)
          .map((each) => each.join(" "))
          .sort()
          .join(" ");
      ends.push(
        await within(
          PATIENCE,
          start().catch((error: unknown) => (seen.push(error), named(error))),
        ),
      );
      await new Promise((resolve) => setTimeout(resolve, 600));
    }
    return `${ends.join(", then ")}, handled ×${handled}${shown(seen)}`;
  } finally {
    await origin[Symbol.asyncDispose]();
  }
}

export const listCases = [
  ...otherCases(
    "pager",
    pagerRows.map((row) => ({ ...row, run: () => runPager(row) })),
  ),
  ...otherCases(
    "catch-up",
    catchUpRows.map((row) => ({ ...row, run: () => runCatchUp(row) })),
  ),
];
