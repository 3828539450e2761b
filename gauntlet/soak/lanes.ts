import {
  BulkError,
  createConsoleClient,
  type BulkCheckpoint,
  type ConsoleClient,
  type NewDevice,
} from "@fieldmesh/console-client";
import { createLedgerClient, type LedgerClient } from "@fieldmesh/ledger-client";
import { sign } from "@fieldmesh/webhook-types";
import {
  createReceiver,
  memoryStore,
  type IdempotencyStore,
  type Receiver,
} from "@fieldmesh/webhook-types/receiver";
import { sampleEvent } from "@fieldmesh/webhook-types/samples";
import { setTimeout as sleep } from "node:timers/promises";
import { KEY } from "../run/canary.ts";
import type { Chaos } from "./chaos.ts";
import { playNights } from "./nights.ts";
import { ACCOUNTS, type Service } from "./service.ts";

/** What the soak knows, and what it has found to be wrong. */
export interface Soak {
  readonly chaos: Chaos;
  readonly service: Service;
  /** Lives as long as the program, so that every listener that is left on it shows. */
  readonly signal: AbortSignal;
  readonly wrong: (what: string) => void;
  readonly counts: Record<string, number>;
}

const SECRET = `whsec_${KEY}`;
const LEASE = 1_000;
const PAUSE = 200;

const count = ({ counts }: Soak, name: string) => (counts[name] = (counts[name] ?? 0) + 1);

/** A sender that delivers an event until it gets a 2xx, and a receiver with a vault and a store of others. */
export function createDeliveries(soak: Soak) {
  const { chaos } = soak;
  const working = memoryStore({ limit: 1_000_000 });
  const done = new Set<string>();
  const store: IdempotencyStore = {
    claim: chaos.spoil((id, token, lease) => working.claim(id, token, lease)),
    extend: chaos.spoil((id, token, lease) => working.extend(id, token, lease)),
    complete: chaos.spoil(async (id, token) => {
      const isMine = await working.complete(id, token);
      if (isMine) done.add(id);
      return isMine;
    }),
    release: chaos.spoil((id, token) => working.release(id, token)),
  };
  /** Events in the order of their effects. An effect is made once for each idempotency key, as the guide says. */
  const effects = new Set<string>();
  const receiver: Receiver = createReceiver({
    secret: chaos.spoil(() => SECRET),
    store,
    lease: LEASE,
    onError: () => undefined,
    onOutcome: () => undefined,
    handlers: {
      "sim.activated": async ({ id }, { idempotencyKey }) => {
        if (done.has(id)) soak.wrong(`${id} was handled again, although the store has recorded it`);
        if (chaos.oneIn(10)) await sleep(chaos.int(1, 2 * LEASE));
        if (chaos.oneIn(10)) throw new Error("of the handler");
        effects.add(idempotencyKey);
      },
    },
  });

  async function deliver(id: string): Promise<void> {
    const body = JSON.stringify({ ...sampleEvent("sim.activated"), id });
    for (;;) {
      // The sender's clock is right.
      const timestamp = Math.floor((performance.timeOrigin + performance.now()) / 1_000);
      const headers = await sign({ secret: SECRET, body, timestamp });
      const response = await receiver(
        new Request("http://127.0.0.1/", { method: "POST", headers, body }),
      );
      count(soak, `deliveries ${response.status}`);
      if (response.ok) break;
      await sleep(PAUSE);
    }
    if (!effects.has(id)) soak.wrong(`${id} got a 2xx, and was not handled`);
    if (!done.has(id)) soak.wrong(`${id} got a 2xx, and is not recorded`);
    // Nobody delivers it again.
    effects.delete(id);
    done.delete(id);
  }
  return { deliver };
}

/** One client for all lanes, with a vault and a shared limit of others. */
export function createClients({ chaos, service: { origin } }: Soak) {
  const options = {
    baseUrl: origin.url,
    timeout: 1_000,
    totalTimeout: 5_000,
    retry: { baseDelay: 5, maxDelay: 50 },
    validation: "off" as const,
  };
  const console = createConsoleClient({
    ...options,
    apiKey: chaos.spoil(() => KEY),
    rateLimit: {
      requests: 100_000,
      shared: { take: chaos.spoil(() => 0), block: chaos.spoil(() => undefined) },
    },
  });
  return { console, ledger: createLedgerClient(options) };
}

/** Reads the labels, which may fail in every way, but must end. */
export async function call(soak: Soak, client: ConsoleClient): Promise<void> {
  const began = performance.now();
  const end = await client.labels.list({ signal: soak.signal }).then(
    () => "ok",
    (error: unknown) => (error as Error).name,
  );
  count(soak, `calls ${end}`);
  // The machine may be busy.
  if (performance.now() - began > 15_000) soak.wrong("a call took three times its totalTimeout");
}

/** Walks through the whole list, and calls again after each error. */
export async function walk(soak: Soak, client: LedgerClient): Promise<void> {
  const seen = new Set<string>();
  let total = 0;
  const accounts = client.accounts.list({}, { signal: soak.signal }).walk();
  for (;;) {
    try {
      const { done, value } = await accounts.next();
      if (done === true) break;
      total++;
      seen.add(value.address);
    } catch {
      count(soak, "pages failed");
    }
  }
  count(soak, "walks");
  if (seen.size !== ACCOUNTS) soak.wrong(`a walk has lost ${ACCOUNTS - seen.size} accounts`);
  if (total !== seen.size) soak.wrong(`a walk has returned ${total - seen.size} accounts twice`);
}

const FLEET = 20;
let fleets = 0;

/** Creates devices in bulk, and resumes after each error from the last checkpoint that was stored. */
export async function createFleet(soak: Soak, client: ConsoleClient): Promise<void> {
  const { chaos, service } = soak;
  const first = ++fleets * FLEET;
  const devices = Array.from({ length: FLEET }, (_, index): NewDevice => ({
    name: `Device ${first + index}`,
    dev_eui: (first + index).toString(16).toUpperCase().padStart(16, "0"),
    app_eui: "70B3D57ED0010001",
    app_key: "00112233445566778899AABBCCDDEEFF",
  }));
  let checkpoint: BulkCheckpoint | undefined;
  for (;;) {
    try {
      const { created, unknown, settled } = await client.devices.createMany(devices, {
        chunkSize: 5,
        settleTime: 500,
        timeout: 1_000,
        signal: soak.signal,
        ...(checkpoint && { checkpoint }),
        onCheckpoint: async (next) => {
          if (chaos.oneIn(30)) throw new Error("of the checkpoint");
          checkpoint = JSON.parse(JSON.stringify(next)) as BulkCheckpoint;
        },
      });
      count(soak, "bulk runs");
      if (settled !== FLEET) soak.wrong(`a run has no result for ${FLEET - settled} devices`);
      const held = devices.filter(({ dev_eui }) => service.created.has(dev_eui)).length;
      if (held < created)
        soak.wrong(`${created - held} devices are reported as created, and do not exist`);
      if (held > created + unknown)
        soak.wrong(`${held - created - unknown} devices exist, and are reported as failed`);
      break;
    } catch (error) {
      if (!(error instanceof BulkError))
        soak.wrong(`a run ended with ${(error as Error).name}: ${(error as Error).message}`);
      count(soak, "bulk runs resumed");
      await sleep(PAUSE);
    }
  }
  for (const { dev_eui } of devices) {
    if ((service.created.get(dev_eui) ?? 0) > 1)
      soak.wrong(`a device was created ${service.created.get(dev_eui)} times`);
    service.forget(dev_eui);
  }
}

/** Plays days and nights of a service whose events come late, with wrong dates, or never. */
export async function live(soak: Soak): Promise<void> {
  for (const what of await playNights(soak.chaos.int(0, 2 ** 31 - 1))) soak.wrong(what);
  count(soak, "lives");
  await sleep(soak.chaos.int(5, 15) * 1_000);
}
