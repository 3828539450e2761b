import { setTimeout as sleep } from "node:timers/promises";
import { sign } from "@fieldmesh/webhook-types";
import {
  createReceiver,
  memoryOrder,
  memoryPoison,
  memoryStore,
  type ReceiverOptions,
} from "@fieldmesh/webhook-types/receiver";
import { sampleEvent } from "@fieldmesh/webhook-types/samples";
import { KEY } from "../../run/canary.ts";
import {
  late,
  never,
  once,
  otherCases,
  rejects,
  shown,
  spoilOnce,
  throws,
  throwsAfter,
  within,
  type OtherRow,
} from "./part.ts";

const SECRET = `whsec_${KEY}`;
/** Longer than every limit of a receiver. */
const PATIENCE = 25_000;
const LEASE = 1_500;

/** Two deliveries of one event to a receiver. The part misbehaves in the first one. */
interface ReceiverRow extends Omit<OtherRow, "run"> {
  readonly options: (handled: () => void) => Partial<ReceiverOptions>;
  /** Milliseconds between the two. */
  readonly pause?: number;
}

const AGAIN = "The sender delivers it again, and it is handled once.";

const secret = (
  fault: string,
  bad: () => unknown,
  ends: string,
  sentence: string,
): ReceiverRow => ({
  fault: `the function for the secret ${fault}`,
  options: () => ({ secret: once(bad, () => SECRET) }),
  ends,
  sentence,
});
/** A failed call is not repeated for ten seconds. */
const noSecret = (fault: string, bad: () => unknown): ReceiverRow => ({
  ...secret(
    fault,
    bad,
    "500, then 200, handled ×1",
    `The delivery gets a 500, and so do others for ten seconds. ${AGAIN}`,
  ),
  pause: 10_500,
});

type StoreName = "claim" | "extend" | "complete" | "release";
/** A part of the store misbehaves, the first time that it is called. */
const store = (
  name: StoreName,
  fault: string,
  bad: () => unknown,
  [ends, sentence]: readonly [string, string],
  more: Partial<ReceiverRow> = {},
): ReceiverRow => ({
  fault: `${name} of the store ${fault}`,
  options: () => ({ store: spoilOnce(memoryStore(), name, bad) }),
  ends,
  sentence,
  ...more,
});
const UNAVAILABLE = ["503, then 200, handled ×1", `The delivery gets a 503. ${AGAIN}`] as const;
const AT_LEAST_ONCE = [
  "503, then 200, handled ×2",
  "The handlers have run, and the delivery gets a 503, because nothing says that the event is done. After the lease, it is handled again.",
] as const;
const NO_EFFECT = [
  "200, then 200, handled ×1",
  "Both deliveries get a 200. The event is handled once.",
] as const;
const afterLease = { pause: LEASE + 500 };

const handler = (
  fault: string,
  bad: () => unknown,
  [ends, sentence]: readonly [string, string],
): ReceiverRow => ({
  fault: `a handler ${fault}`,
  options: (handled) => {
    const work = once<unknown>(bad, () => undefined);
    return {
      handlers: {
        "sim.activated": async () => {
          handled();
          await work();
        },
      },
    };
  },
  ends,
  sentence,
});
const FAILED = [
  "500, then 200, handled ×2",
  "The delivery gets a 500. The sender delivers it again, and the handler runs again.",
] as const;

const order = (
  name: "isOlder" | "remember",
  fault: string,
  bad: () => unknown,
  [ends, sentence]: readonly [string, string],
): ReceiverRow => ({
  fault: `${name} of the order ${fault}`,
  options: () => ({ order: spoilOnce(memoryOrder(), name, bad) }),
  ends,
  sentence,
});

const poison = (
  name: "fail" | "setAside",
  fault: string,
  bad: () => unknown,
  [ends, sentence]: readonly [string, string],
): ReceiverRow => ({
  fault: `${name} of the poison store ${fault}`,
  options: (handled) => ({
    poison: { store: spoilOnce(memoryPoison(), name, bad), attempts: 1, reload: () => EVENT },
    handlers: {
      "sim.activated": () => {
        handled();
        throw new Error("always fails");
      },
    },
  }),
  ends,
  sentence,
});
const POISON_FAILED = [
  "503, then 200, handled ×2",
  "The delivery gets a 503. The event is delivered again, fails again, and is set aside.",
] as const;

const observer = (
  name: "onOutcome" | "onError" | "logger",
  fault: string,
  bad: () => unknown,
): ReceiverRow => ({
  fault: `${name} ${fault}`,
  options: (handled) => {
    const watch = once(bad, () => undefined);
    const fails = once(throws(new Error("so that there is an error")), () => undefined);
    return {
      ...(name === "logger"
        ? { logger: { debug: watch, warn: watch, error: watch } }
        : { [name]: watch }),
      handlers: { "sim.activated": () => (handled(), fails()) },
    };
  },
  ends: FAILED[0],
  sentence: "The responses are the same as without it.",
});

/** The row with a handler that misbehaves too, so that the part is called. */
function withHandler(row: ReceiverRow, bad: () => unknown): ReceiverRow {
  const { options } = handler("", bad, FAILED);
  return { ...row, options: (handled) => ({ ...options(handled), ...row.options(handled) }) };
}

const EVENT = JSON.stringify(sampleEvent("sim.activated"));

const rows: readonly ReceiverRow[] = [
  noSecret("never settles", never),
  secret("settles after half a second", () => late(500, SECRET), ...NO_EFFECT),
  noSecret("settles after 12 seconds", () => late(12_000, SECRET)),
  secret("throws after it has settled", () => throwsAfter(SECRET), ...NO_EFFECT),
  noSecret("throws", throws(new Error("of the vault"))),
  noSecret("rejects with undefined", rejects(undefined)),
  noSecret("returns undefined", async () => undefined),
  noSecret("returns an empty list", async () => []),
  noSecret("returns a number", async () => 42),
  store("claim", "never settles", never, UNAVAILABLE),
  store("claim", "throws", throws(new Error("of the store")), UNAVAILABLE),
  store("claim", "rejects", rejects(new Error("of the store")), UNAVAILABLE),
  store(
    "claim",
    "throws after it has settled",
    () => throwsAfter({ status: "claimed", attempt: 1 }),
    [
      "503, then 200, handled ×2",
      "The store has said that the event is claimed, and knows nothing of it later: the delivery gets a 503, and the event is handled again.",
    ],
  ),
  store("claim", "returns undefined", async () => undefined, UNAVAILABLE),
  store("claim", "returns another status", async () => ({ status: "free" }), UNAVAILABLE),
  store(
    "claim",
    "says in progress, for a time that is NaN",
    async () => ({ status: "in_progress", endsIn: Number.NaN }),
    UNAVAILABLE,
  ),
  store("complete", "never settles", never, AT_LEAST_ONCE, afterLease),
  store("complete", "rejects", rejects(new Error("of the store")), AT_LEAST_ONCE, afterLease),
  store("complete", "returns undefined", async () => undefined, AT_LEAST_ONCE, afterLease),
  store(
    "complete",
    "says that another process has the event",
    async () => false,
    AT_LEAST_ONCE,
    afterLease,
  ),
  handler("throws undefined", throws(undefined), FAILED),
  handler("rejects", rejects(new Error("of the handler")), FAILED),
  handler("throws after it has settled", () => throwsAfter(undefined), NO_EFFECT),
  handler("takes longer than a lease", () => sleep(2 * LEASE), NO_EFFECT),
  {
    ...withHandler(
      store(
        "extend",
        "never settles, while a handler takes longer than a lease",
        never,
        UNAVAILABLE,
      ),
      () => sleep(2 * LEASE),
    ),
    ends: NO_EFFECT[0],
    sentence:
      "The signal of the handler aborts, because another process may have the event. The store says that none has it, so that it counts as handled.",
  },
  {
    ...withHandler(
      store(
        "release",
        "rejects, after a handler has failed",
        rejects(new Error("of the store")),
        FAILED,
      ),
      throws(new Error("of the handler")),
    ),
    ...afterLease,
  },
  {
    ...withHandler(
      store("release", "never settles, after a handler has failed", never, FAILED),
      throws(new Error("of the handler")),
    ),
    ...afterLease,
  },
  order("isOlder", "never settles", never, UNAVAILABLE),
  order("isOlder", "rejects", rejects(new Error("of the order")), UNAVAILABLE),
  order("isOlder", "returns a string", async () => "older", NO_EFFECT),
  order("remember", "never settles", never, [
    "503, then 200, handled ×1",
    "The delivery gets a 503. The event is done, so that the next one gets a 200.",
  ]),
  order("remember", "rejects", rejects(new Error("of the order")), [
    "503, then 200, handled ×1",
    "The delivery gets a 503. The event is done, so that the next one gets a 200.",
  ]),
  poison("fail", "never settles", never, POISON_FAILED),
  poison("fail", "rejects", rejects(new Error("of the store")), POISON_FAILED),
  poison("setAside", "never settles", never, POISON_FAILED),
  poison("setAside", "returns undefined", async () => undefined, [
    "500, then 200, handled ×2",
    "The delivery gets a 500. The event is delivered again, fails again, and is set aside.",
  ]),
  ...(["onOutcome", "onError", "logger"] as const).flatMap((name) => [
    observer(name, "never settles", never),
    observer(name, "throws", throws(new Error("of the observer"))),
  ]),
  {
    fault: "parse returns a promise",
    options: () => ({
      parse: once(
        () => Promise.resolve(JSON.parse(EVENT)),
        () => JSON.parse(EVENT),
      ),
    }),
    ends: "400, then 200, handled ×1",
    sentence: `The delivery gets a 400. ${AGAIN}`,
  },
];

async function run({ options, pause = 0 }: ReceiverRow): Promise<string> {
  let handled = 0;
  const seen: unknown[] = [];
  const see = (...all: unknown[]) => void seen.push(all);
  const count = () => void handled++;
  const given = options(count);
  const receiver = createReceiver({
    secret: SECRET,
    store: memoryStore(),
    lease: LEASE,
    onError: see,
    onOutcome: see,
    handlers: { "sim.activated": count },
    ...given,
  });
  const statuses: string[] = [];
  for (let number = 0; number < 2; number++) {
    if (number > 0) await sleep(pause);
    const headers = await sign({
      secret: SECRET,
      body: EVENT,
      timestamp: Math.floor(Date.now() / 1_000),
    });
    const init = { method: "POST", headers, body: EVENT };
    const response = await within(PATIENCE, receiver(new Request("http://127.0.0.1/", init)));
    statuses.push(response === "hangs" ? response : String(response.status));
  }
  return `${statuses.join(", then ")}, handled ×${handled}${shown(seen)}`;
}

export const receiverCases = otherCases(
  "receiver",
  rows.map((row) => ({ ...row, run: () => run(row) })),
);
