/* oxlint-disable vitest/no-standalone-expect -- the tests of every driver call these functions */
import { setTimeout as sleep } from "node:timers/promises";
import { expect } from "vitest";
import { signedRequest, type WebhookEvent } from "../src/index.ts";
import { createReceiver, memoryPoison, type EventStore } from "../src/receiver/index.ts";
import type { EventContext } from "../src/router/index.ts";
import { sampleEvent } from "../src/samples.ts";
import type { BlackHole } from "../../../tools/testing/black-hole.ts";

/** A database of its own with a store, and the faults that it can have. A driver that lacks a fault has no proof of its rule. */
export interface Bed {
  /** Whether what a handler writes is undone with the mark of its event. */
  readonly isInbox: boolean;
  readonly store: EventStore;
  /** What the handler of each event does first. */
  readonly write: (context: EventContext, id: string) => unknown;
  /** Another query of a handler: in the transaction of its event, or of its client. */
  readonly query: (context: EventContext) => unknown;
  /** The number of events that are marked as done. */
  readonly marks: () => Promise<number>;
  /** The number of rows that handlers have written. */
  readonly rows: () => Promise<number>;
  readonly close: () => unknown;

  readonly hole?: BlackHole;
  /** Words of the last statement of an event: its COMMIT, or its mark. */
  readonly last?: (id: string) => readonly string[];
  /** Does what a pooler does between two events. */
  readonly pool?: () => unknown;
  readonly setReadOnly?: (isReadOnly: boolean) => unknown;
  readonly setFull?: (isFull: boolean) => unknown;
  /** Lets all statements that write this event fail, or none. */
  readonly breakEvent?: (id: string | undefined) => unknown;
  /** What a handler asks of the pool of its inbox, beside the transaction of its event. */
  readonly askPool?: (event: WebhookEvent) => unknown;
  /** A conflict with another transaction in each run of the handlers, or of the statements of a store. */
  readonly conflict?: (context: EventContext) => unknown;
  readonly setConflict?: (isOn: boolean) => unknown;
}

export type During = (context: EventContext, event: WebhookEvent) => unknown;
type Proof = (bed: Bed) => Promise<void>;

let events = 0;
export const newEvent = (): WebhookEvent =>
  sampleEvent("plan.created", { id: `evt_${process.pid}_${(events += 1)}` });
const newEvents = (count: number): WebhookEvent[] => Array.from({ length: count }, newEvent);

/** Delivers an event, and returns what its sender sees. One failure that is the fault of its handler sets it aside. */
async function deliver(
  bed: Bed,
  event: WebhookEvent,
  during?: During,
  lease = 30_000,
): Promise<string> {
  const secret = "whsec_test";
  const poison = { store: memoryPoison({ payload: "withoutSecrets" as const }), attempts: 1 };
  const receive = createReceiver({
    secret,
    store: bed.store,
    poison,
    lease,
    onOutcome: () => {},
    onError: () => {},
    handlers: {
      "plan.created": async (given, context) => {
        await bed.write(context, given.id);
        await during?.(context, event);
      },
    },
  });
  const response = await receive(await signedRequest(event, { url: "http://127.0.0.1/", secret }));
  return `${response.status} ${await response.text()}`;
}

/** Retries as a sender does, for 20 s, until the response is 2xx. */
async function retry(bed: Bed, event: WebhookEvent): Promise<string> {
  for (const began = performance.now(); ; await sleep(250)) {
    const response = await deliver(bed, event);
    if (response.startsWith("200") || performance.now() - began > 20_000) return response;
  }
}

const all = (bed: Bed, sent: readonly WebhookEvent[], during?: During): Promise<string[]> =>
  Promise.all(sent.map((event) => deliver(bed, event, during)));
const times = (count: number, response: string): string[] => Array<string>(count).fill(response);

/** Every event ends as done once, and as many deliveries as the store has connections work at the same time. */
async function isWhole(bed: Bed, sent: readonly WebhookEvent[]): Promise<void> {
  for (const event of sent) expect(await retry(bed, event)).toMatch(/^200 (handled|duplicate)$/);
  expect(await all(bed, newEvents(3))).toEqual(times(3, "200 handled"));
  expect(await bed.marks()).toBe(sent.length + 3);
  // Handlers of a lease store write by themselves, and may run twice.
  if (bed.isInbox) expect(await bed.rows()).toBe(sent.length + 3);
}

const DATABASE = "503 store_failed";

/** A rule for all drivers, and how it is proved. */
export const rules = {
  "a path that freezes": async (bed) => {
    const { hole = missing() } = bed;
    const before = newEvents(3);
    expect(await all(bed, before)).toEqual(times(3, "200 handled"));
    hole.swallow();
    const during = newEvents(3);
    const began = performance.now();
    const frozen = all(bed, during);
    await sleep(3_000);
    hole.open();
    expect(await frozen).toEqual(times(3, DATABASE));
    expect(performance.now() - began).toBeLessThan(20_000);
    await isWhole(bed, [...before, ...during]);
  },

  "a connection that is lost before the handlers": async (bed) => {
    const { hole = missing() } = bed;
    const [first, event] = [newEvent(), newEvent()];
    expect(await deliver(bed, first)).toBe("200 handled");
    hole.swallow();
    const sent = deliver(bed, event);
    await sleep(300);
    hole.open();
    hole.cut();
    // Some clients send it again.
    expect(await sent).toMatch(/^(503 store_failed|200 handled)$/);
    await isWhole(bed, [first, event]);
  },

  "a connection that is lost in the handlers": async (bed) => {
    const { hole = missing(), isInbox } = bed;
    const sent = newEvents(2);
    const [event, swallowing] = sent as [WebhookEvent, WebhookEvent];
    const errors: unknown[] = [];
    const lose: During = async (context, { id }) => {
      hole.cut();
      await sleep(300);
      try {
        await bed.query(context);
      } catch (error) {
        errors.push(error);
        if (id !== swallowing.id) throw error;
      }
    };
    const expected = isInbox ? DATABASE : "200 handled";
    expect(await deliver(bed, event, lose)).toBe(expected);
    expect(await deliver(bed, swallowing, lose)).toBe(expected);
    expect(errors).toEqual(isInbox ? [expect.any(Error), expect.any(Error)] : []);
    expect(await bed.marks()).toBe(isInbox ? 0 : 2);
    await isWhole(bed, sent);
  },

  "a connection that is lost after the handlers": async (bed) => {
    const { hole = missing(), last = missing() } = bed;
    const [first, event] = [newEvent(), newEvent()];
    expect(await deliver(bed, first)).toBe("200 handled");
    const response = await deliver(bed, event, () => hole.at(last(event.id), "cut"), 3_000);
    // A mark may be tried again, and a COMMIT is not.
    expect(response).toMatch(bed.isInbox ? /^503 store_failed$/ : /^(503|200 handled)/);
    await isWhole(bed, [first, event]);
  },

  "a response to COMMIT that is lost": async (bed) => {
    const { hole = missing(), last = missing() } = bed;
    const [first, event] = [newEvent(), newEvent()];
    expect(await deliver(bed, first)).toBe("200 handled");
    const response = await deliver(bed, event, () => hole.at(last(event.id), "swallow"));
    expect(response).toMatch(bed.isInbox ? /^503 store_failed$/ : /^503/);
    expect(await retry(bed, event)).toBe("200 duplicate");
    await isWhole(bed, [first, event]);
  },

  "a pooler": async (bed) => {
    const { pool = missing() } = bed;
    const sent = newEvents(50);
    const responses = all(bed, sent);
    await pool();
    expect(await responses).toEqual(times(50, "200 handled"));
    await pool();
    await isWhole(bed, sent);
  },

  "a server that is read-only": async (bed) => {
    const { setReadOnly = missing() } = bed;
    await setReadOnly(true);
    const event = newEvent();
    expect(await deliver(bed, event)).toBe(DATABASE);
    await setReadOnly(false);
    await isWhole(bed, [event]);
  },

  "a conflict of transactions": async (bed) => {
    const { conflict, setConflict = missing(), isInbox } = bed;
    await setConflict(true);
    const sent = conflict === undefined ? [] : [newEvent()];
    for (const event of sent) {
      let runs = 0;
      const response = await deliver(bed, event, (context) => ((runs += 1), conflict?.(context)));
      expect([response, runs]).toEqual(["503 in_progress", isInbox ? 4 : 0]);
    }
    await setConflict(false);
    // Simultaneous deliveries of one event conflict with each other.
    const same = newEvent();
    for (const each of await all(bed, Array<WebhookEvent>(10).fill(same)))
      expect(each).toMatch(/^(200 (handled|duplicate)|503 in_progress)$/);
    await isWhole(bed, [...sent, same]);
  },

  "a full disk": async (bed) => {
    const { setFull = missing() } = bed;
    const sent: WebhookEvent[] = [];
    await setFull(true);
    let response = "200 handled";
    while (response === "200 handled" && sent.length < 200) {
      sent.push(newEvent());
      response = await deliver(bed, sent.at(-1)!);
    }
    expect(response).toBe(DATABASE);
    expect(await bed.marks()).toBe(sent.length - 1);
    await setFull(false);
    await isWhole(bed, sent);
  },

  "a pool that handlers use": async (bed) => {
    const { askPool = missing() } = bed;
    const sent = newEvents(6);
    const late = sleep(25_000, "no response in 25 s", { ref: false });
    const responses = await Promise.all(
      sent.map((event) =>
        Promise.race([deliver(bed, event, (_context, each) => askPool(each)), late]),
      ),
    );
    for (const response of responses)
      expect(response).toMatch(/^(200 handled|503 (store_failed|in_progress))$/);
    await isWhole(bed, sent);
  },

  "a statement of a batch that fails": async (bed) => {
    const { breakEvent = missing() } = bed;
    const sent = newEvents(20);
    await breakEvent(sent[7]!.id);
    const responses = await all(bed, sent);
    expect(responses).toEqual(
      sent.map((_event, index) => (index === 7 ? DATABASE : "200 handled")),
    );
    await breakEvent(undefined);
    await isWhole(bed, sent);
  },
} satisfies Record<string, Proof>;

export type Rule = keyof typeof rules;

function missing(): never {
  throw new Error("The bed of this driver lacks the fault that the rule needs.");
}

/** What proves a rule for a driver. */
export type Cell =
  | { readonly beds: Readonly<Record<string, () => Promise<Bed>>> }
  /** Why the fault cannot occur there. */
  | { readonly doesNotApply: string }
  /** Why there is no proof. The guide says it in these words. */
  | { readonly reason: string }
  /** A proof of its own, which several rules may share. */
  | { readonly proof: () => Promise<void> };

export const RULES = Object.keys(rules) as Rule[];

/** The same cell for all rules, except those that are named. */
export const everyRule = (cell: Cell, others: Partial<Record<Rule, Cell>> = {}) =>
  ({ ...Object.fromEntries(RULES.map((rule) => [rule, cell])), ...others }) as Record<Rule, Cell>;
