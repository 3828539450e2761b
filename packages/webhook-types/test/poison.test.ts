import { spawnSync } from "node:child_process";
import { mkdtempSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { DatabaseSync } from "node:sqlite";
import pg from "pg";
import { afterAll, beforeAll, describe, expect, onTestFinished, test, vi } from "vitest";
import * as z from "zod/mini";
import { isSecret } from "@fieldmesh/core";
import { createVirtualClock } from "../../sandbox/src/engine/time/clocks.ts";
import { startPostgres } from "../../../tools/servers.ts";
import { signedRequest, sourceOf } from "../src/index.ts";
import { createEventParser } from "../src/parse/index.ts";
import {
  createReceiver,
  handleEvent,
  memoryOrder,
  memoryPoison,
  memoryStore,
  noStore,
  runAgain,
  type DeliveryReport,
  type EncryptionKey,
  type EventStore,
  type MemoryPoisonOptions,
  type PoisonStore,
  type ReceiverOptions,
} from "../src/receiver/index.ts";
import { createEventRouter } from "../src/router/index.ts";
import { sampleEvent } from "../src/samples.ts";
import { poisonTests } from "../src/store-kit/index.ts";
import {
  postgresInbox,
  postgresPoison,
  postgresPoisonTable,
  postgresStore,
  postgresTables,
  sqlitePoison,
  sqliteStore,
} from "../src/stores/index.ts";
import { describeWith } from "../../../tools/testing/describe-with.ts";
import { everyRuns, type CreatorsOf } from "./every-store.ts";

const postgresServer = await startPostgres();
afterAll(async () => {
  if (postgresServer.url !== undefined) await postgresServer.stop();
});

const DAY = 86_400_000;
const secret = "whsec_canary";
const url = "http://127.0.0.1/hooks";
const CODE = "493817";
const EMAIL = "canary@example.com";
let count = 0;
const newId = () => `evt_${Date.now()}_${(count += 1)}`;

/** An event with a one-time code and an integer beyond 2^53. */
const newEvent = () =>
  sampleEvent("cpni.verification.requested", {
    id: newId(),
    data: { object: { code: CODE, agent: { email: EMAIL } }, serial: 12345678901234567890n },
  });

const keyOf = (byte: number): Promise<EncryptionKey> =>
  crypto.subtle.importKey("raw", new Uint8Array(32).fill(byte), "AES-GCM", false, [
    "encrypt",
    "decrypt",
  ]);

/** Creates a receiver whose handlers fail until they are fixed, and records what it reports. */
function receiverOf(options: Partial<ReceiverOptions> = {}) {
  const state = { isBroken: true };
  const reports: DeliveryReport[] = [];
  const errors: unknown[] = [];
  const handled: unknown[] = [];
  const receive = createReceiver({
    secret,
    store: memoryStore(),
    handlers: {
      "*": (event) => {
        if (state.isBroken) throw new TypeError(`${CODE} of ${EMAIL}`);
        handled.push(event);
      },
    },
    onOutcome: (report) => reports.push(report),
    onError: (error) => errors.push(error),
    ...options,
  });
  const deliver = async (event: object) => {
    const response = await receive(await signedRequest(event, { url, secret }));
    return [response.status, await response.text()];
  };
  return { receive, deliver, reports, errors, handled, state };
}

describe("an event that keeps failing", () => {
  test.each(["with a lease", "with an inbox"])(
    "is set aside by the delivered id, even if its handlers change it: %s",
    async (kind) => {
      const inbox: EventStore = {
        run: async (_id, work) => {
          await work({ signal: new AbortController().signal, enter: () => {} });
          return "committed";
        },
      };
      const store = memoryPoison({ payload: "withoutSecrets" });
      const state = { isBroken: true };
      const { receive, deliver, reports } = receiverOf({
        store: kind === "with a lease" ? memoryStore() : inbox,
        poison: { store, attempts: 2 },
        handlers: {
          "*": (event) => {
            Object.assign(event, { id: newId(), type: "sim.activated" });
            if (state.isBroken) throw new Error("boom");
          },
        },
      });
      const event = newEvent();
      expect(await deliver(event)).toEqual([500, "failed"]);
      expect(await deliver(event)).toEqual([200, "set_aside"]);
      const named = { id: event.id, type: event.type };
      expect(await store.list()).toMatchObject([named]);
      expect(reports.map((report) => report.event)).toEqual([named, named]);
      expect(await receive.runAgain(event.id)).toMatchObject({ outcome: "set_aside" });
      state.isBroken = false;
      expect(await receive.runAgain(event.id)).toEqual({ outcome: "handled" });
      expect(await store.list()).toEqual([]);
    },
  );

  test("is set aside with a 2xx after the configured number of attempts, is listed, and can be run again", async () => {
    const clock = createVirtualClock("2026-11-20T08:00:00Z");
    const store = memoryPoison({ payload: "withoutSecrets", clock });
    const { receive, reports, handled, state } = receiverOf({
      clock,
      store: memoryStore({ clock }),
      poison: { store, attempts: 3 },
    });
    const event = newEvent();
    const sent = async () => {
      const response = await receive(
        await signedRequest(event, { url, secret, timestamp: clock.now() / 1_000 }),
      );
      return [response.status, await response.text()];
    };
    for (let i = 0; i < 2; i += 1) {
      expect(await sent()).toEqual([500, "failed"]);
      expect(await store.list()).toEqual([]);
      await clock.advance(60_000);
    }
    expect(await sent()).toEqual([200, "set_aside"]);
    const at = (time: string) => new Date(`2026-11-20T${time}Z`);
    expect(await store.list()).toEqual([
      {
        id: event.id,
        type: event.type,
        attempts: 3,
        error: "TypeError",
        firstFailedAt: at("08:00:00"),
        lastFailedAt: at("08:02:00"),
        setAsideAt: at("08:02:00"),
      },
    ]);
    expect(reports.at(-1)).toMatchObject({ outcome: "set_aside", event: { id: event.id } });

    expect(await receive.runAgain(event.id)).toMatchObject({ outcome: "set_aside" });
    expect(await store.list()).toMatchObject([{ attempts: 4, setAsideAt: at("08:02:00") }]);

    state.isBroken = false;
    expect(await receive.runAgain(event.id)).toEqual({ outcome: "handled" });
    expect(handled).toMatchObject([{ id: event.id, data: { serial: 12345678901234567890n } }]);
    expect(await store.list()).toEqual([]);
    // It is marked as done like any other event.
    expect(await sent()).toEqual([200, "duplicate"]);
    await expect(receive.runAgain(event.id)).rejects.toThrow(`No event ${event.id} is set aside`);
  });

  test("is rejected without the option", async () => {
    const { receive, deliver } = receiverOf();
    const event = newEvent();
    for (let i = 0; i < 20; i += 1) expect(await deliver(event)).toEqual([500, "failed"]);
    await expect(receive.runAgain(event.id)).rejects.toThrow("Pass poison");
  });

  test("is always rejected, and reported, if it could not be run again", async () => {
    const store = memoryPoison();
    const { deliver, reports, errors } = receiverOf({ poison: { store, attempts: 2 } });
    const event = newEvent();
    expect(await deliver(event)).toEqual([500, "failed"]);
    for (let i = 0; i < 3; i += 1) expect(await deliver(event)).toEqual([500, "not_set_aside"]);
    expect(await store.list()).toEqual([]);
    const { id, type } = event;
    expect(reports.at(-1)).toMatchObject({ outcome: "not_set_aside", event: { id, type } });
    expect(errors).toHaveLength(4);
  });

  test("is read with `reload` if no payload is kept", async () => {
    const store = memoryPoison();
    const event = newEvent();
    const stored: Record<string, unknown> = { [event.id]: event };
    const reload = vi.fn(async (id: string) => stored[id]);
    const { receive, deliver, handled, state } = receiverOf({
      poison: { store, attempts: 1, reload },
    });
    expect(await deliver(event)).toEqual([200, "set_aside"]);
    expect(await store.get(event.id)).toMatchObject({ payload: undefined });
    expect(reload).not.toHaveBeenCalled();
    state.isBroken = false;

    stored[event.id] = undefined;
    await expect(receive.runAgain(event.id)).rejects.toThrow("reload returned none");
    stored[event.id] = newEvent();
    await expect(receive.runAgain(event.id)).rejects.toThrow("is another one");
    stored[event.id] = "{";
    await expect(receive.runAgain(event.id)).rejects.toThrow("not JSON");
    expect(await store.list()).toHaveLength(1);

    stored[event.id] = event;
    expect(await receive.runAgain(event.id)).toEqual({ outcome: "handled" });
    expect(handled.map((each) => sourceOf(each as never))).toEqual(["store"]);
    expect(await store.list()).toEqual([]);
  });

  test("is counted from one again if it succeeds before it is set aside", async () => {
    const store = memoryPoison({ payload: "withoutSecrets" });
    const { deliver, state } = receiverOf({ store: noStore(), poison: { store, attempts: 2 } });
    const event = newEvent();
    expect(await deliver(event)).toEqual([500, "failed"]);
    state.isBroken = false;
    expect(await deliver(event)).toEqual([200, "handled"]);
    state.isBroken = true;
    expect(await deliver(event)).toEqual([500, "failed"]);
    expect(await deliver(event)).toEqual([200, "set_aside"]);
  });

  test("is no longer listed after it is delivered again and handled", async () => {
    const store = memoryPoison({ payload: "withoutSecrets" });
    const { deliver, state } = receiverOf({ poison: { store, attempts: 1 } });
    const event = newEvent();
    await deliver(event);
    state.isBroken = false;
    expect(await deliver(event)).toEqual([200, "handled"]);
    expect(await store.list()).toEqual([]);
  });

  test("is not handled when it is run again, if its object has a newer event", async () => {
    const store = memoryPoison({ payload: "withoutSecrets" });
    const { receive, deliver, handled, state } = receiverOf({
      order: memoryOrder(),
      poison: { store, attempts: 1 },
    });
    const at = (created_at: string) =>
      sampleEvent("plan.updated", { id: newId(), created_at, data: { object: { id: "plan_1" } } });
    const old = at("2026-01-01T00:00:00Z");
    await deliver(old);
    state.isBroken = false;
    await deliver(at("2026-01-02T00:00:00Z"));
    expect(await receive.runAgain(old.id)).toEqual({ outcome: "superseded" });
    expect(handled).toHaveLength(1);
    expect(await store.list()).toEqual([]);
  });
});

describe("nothing is lost:", () => {
  test("the event is stored before the response, and is delivered again after a crash between the two", async () => {
    const store = memoryPoison({ payload: "withoutSecrets" });
    const kept = Promise.withResolvers<void>();
    const hanging: PoisonStore = {
      ...store,
      setAside: async (...args) => {
        await store.setAside(...args);
        kept.resolve();
        return new Promise(() => {});
      },
    };
    const events = memoryStore();
    const dying = receiverOf({ store: events, poison: { store: hanging, attempts: 1 } });
    const event = newEvent();
    let isAnswered = false;
    void dying.deliver(event).then(() => (isAnswered = true));
    await kept.promise;
    await new Promise(setImmediate);
    expect(isAnswered).toBe(false);
    expect(await store.list()).toHaveLength(1);

    // The process has ended. The sender retries with the next one, which handles the event.
    const next = receiverOf({ store: events, poison: { store, attempts: 1 } });
    next.state.isBroken = false;
    expect(await next.deliver(event)).toEqual([200, "handled"]);
    expect(await store.list()).toEqual([]);
  });

  test("an event that is still listed after it was handled, because of a crash, is not handled twice", async () => {
    const store = memoryPoison({ payload: "withoutSecrets" });
    const broken: PoisonStore = { ...store, remove: () => Promise.reject(new Error("down")) };
    const events = memoryStore();
    const first = receiverOf({ store: events, poison: { store: broken, attempts: 1 } });
    const event = newEvent();
    await first.deliver(event);
    first.state.isBroken = false;
    expect(await first.deliver(event)).toEqual([503, "store_failed"]);
    expect(first.handled).toHaveLength(1);
    const next = receiverOf({ store: events, poison: { store } });
    next.state.isBroken = false;
    expect(await next.receive.runAgain(event.id)).toEqual({ outcome: "duplicate" });
    expect(next.handled).toEqual([]);
    expect(await store.list()).toEqual([]);
  });

  test.each<[string, string, () => Promise<unknown>, [number, string]]>([
    ["fail", "rejects", () => Promise.reject(new Error("down")), [503, "store_failed"]],
    ["setAside", "rejects", () => Promise.reject(new Error("down")), [503, "store_failed"]],
    ["setAside", "returns false", async () => false, [500, "not_set_aside"]],
    ["setAside", "returns undefined", async () => undefined, [500, "not_set_aside"]],
    ["fail", "returns undefined", async () => undefined, [500, "failed"]],
  ])("the sender retries if %s %s", async (name, _what, call, response) => {
    const store = { ...memoryPoison({ payload: "withoutSecrets" }), [name]: call } as PoisonStore;
    const { deliver, errors } = receiverOf({ poison: { store, attempts: 1 } });
    expect(await deliver(newEvent())).toEqual(response);
    // The error of the handler is reported in each case.
    const [error] = errors as AggregateError[];
    const handlers = response[0] === 503 ? (error?.errors[0] as AggregateError) : error;
    expect(handlers?.errors).toEqual([expect.any(TypeError)]);
    if (response[0] === 503) expect(error?.errors[1]).toEqual(new Error("down"));
  });

  test("a body that only the caller's parser can read is set aside only with `reload`", async () => {
    const id = newId();
    const parse = () => ({ ...sampleEvent("plan.created"), id }) as never;
    const store = memoryPoison({ payload: "withoutSecrets" });
    const without = receiverOf({ parse, poison: { store, attempts: 1 } });
    expect(await without.deliver({ other: "form" })).toEqual([503, "store_failed"]);
    expect(await store.list()).toEqual([]);
    const reload = async () => ({ other: "form" });
    const { receive, deliver, state } = receiverOf({
      parse,
      poison: { store, attempts: 1, reload },
    });
    expect(await deliver({ other: "form" })).toEqual([200, "set_aside"]);
    state.isBroken = false;
    expect(await receive.runAgain(id)).toEqual({ outcome: "handled" });
  });

  test("memoryPoison never forgets an event that was set aside, and sets none aside beyond its limit", async () => {
    const store = memoryPoison({ payload: "withoutSecrets", limit: 2 });
    const { deliver } = receiverOf({ poison: { store, attempts: 2 } });
    const events = Array.from({ length: 4 }, newEvent);
    const last: unknown[] = [];
    for (const event of events) {
      await deliver(event);
      last.push((await deliver(event))[1]);
    }
    expect(last).toEqual(["set_aside", "set_aside", "not_set_aside", "not_set_aside"]);
    for (let i = 0; i < 10; i += 1) await deliver(newEvent());
    const ids = (await store.list()).map(({ id }) => id);
    expect(ids).toEqual(events.slice(0, 2).map(({ id }) => id));
  });
});

describe("memoryPoison", () => {
  const failureOf = (id: string) => ({ id, type: "plan.created", error: "Error" });

  test("forgets the event that began to fail first when it exceeds its limit", async () => {
    const store = memoryPoison({ limit: 2 });
    const counts = async (...ids: string[]): Promise<number[]> => {
      const all: number[] = [];
      for (const id of ids) all.push(await store.fail(failureOf(id)));
      return all;
    };
    expect(await counts("a", "b", "a", "b")).toEqual([1, 1, 2, 2]);
    expect(await counts("c", "b", "c")).toEqual([1, 3, 2]);
    // This event now began to fail last.
    expect(await counts("a", "c", "a", "b")).toEqual([1, 3, 2, 1]);
  });
});

describe("payloads", () => {
  const setAside = async (payload: MemoryPoisonOptions["payload"]) => {
    const store = memoryPoison({ payload });
    const it = receiverOf({ poison: { store, attempts: 1 } });
    const event = newEvent();
    expect(await it.deliver(event)).toEqual([200, "set_aside"]);
    it.state.isBroken = false;
    return { ...it, id: event.id, store, kept: (await store.get(event.id))?.payload ?? "" };
  };
  const codeOf = ([event]: unknown[]) => {
    const { code } = (event as { data: { object: { code?: unknown } } }).data.object;
    return isSecret(code) ? code.reveal() : code;
  };

  test.each(["cpni.verification.requested", "x.unknown"])(
    "are kept without a code that other fields repeat: %s",
    async (type) => {
      const store = memoryPoison({ payload: "withoutSecrets" });
      const { deliver, receive, handled, state } = receiverOf({ poison: { store, attempts: 1 } });
      const object = {
        code: CODE,
        text: `Your code is ${CODE}.`,
        raw: JSON.stringify({ code: CODE }),
        again: [Number(CODE), { [`code ${CODE}`]: true }],
        other: ["4938", 49, 4938179, null],
        tries: { code: ["12", { value: "98765" }] },
        short: "12 is not hidden, 98765 is",
      };
      const event = { ...newEvent(), type, data: { object, note: CODE } };
      expect(await deliver(event)).toEqual([200, "set_aside"]);
      const { payload = "" } = (await store.get(event.id))!;
      expect(JSON.parse(payload).data).toEqual({
        object: {
          text: "Your code is [redacted].",
          raw: '{"code":"[redacted]"}',
          again: ["[redacted]", { "code [redacted]": true }],
          other: ["4938", 49, 4938179, null],
          tries: {},
          short: "12 is not hidden, [redacted] is",
        },
        note: "[redacted]",
      });
      state.isBroken = false;
      expect(await receive.runAgain(event.id)).toEqual({ outcome: "handled" });
      expect(handled).toMatchObject([{ id: event.id, type, created_at: event.created_at }]);
    },
  );

  test("are encrypted completely with a key, differently each time", async () => {
    const key = await keyOf(1);
    const { kept, receive, id, handled } = await setAside(key);
    for (const part of [CODE, EMAIL, "cpni", id]) expect(kept).not.toContain(part);
    expect((await setAside(key)).kept.slice(0, 32)).not.toBe(kept.slice(0, 32));
    expect(await receive.runAgain(id)).toEqual({ outcome: "handled" });
    expect(codeOf(handled)).toBe(CODE);
    expect(sourceOf(handled[0] as never)).toBe("webhook");
  });

  test("cannot be read with another key, without a key, or as the payload of another event", async () => {
    const key = await keyOf(1);
    const { id, store, kept } = await setAside(key);
    const runWith = (
      payload: MemoryPoisonOptions["payload"],
      get: PoisonStore["get"] = (each) => store.get(each),
    ) => receiverOf({ poison: { store: { ...store, get, payload } } }).receive.runAgain(id);
    await expect(runWith(await keyOf(2))).rejects.toThrow("Check that payload has the key");
    for (const none of ["withoutSecrets", undefined] as const)
      await expect(runWith(none)).rejects.toThrow("Pass its key");
    const other = await setAside(key);
    const swapped = async (each: string) => {
      const event = await store.get(each);
      return event && { ...event, payload: other.kept };
    };
    await expect(runWith(key, swapped)).rejects.toThrow("cannot be decrypted");
    const cut = async (each: string) => {
      const event = await store.get(each);
      return event && { ...event, payload: kept.slice(0, -2) };
    };
    await expect(runWith(key, cut)).rejects.toThrow("cannot be decrypted");
    expect(await store.list()).toHaveLength(1);
  });

  test("with a key, a payload that is not encrypted is rejected, and none of its handlers runs", async () => {
    const key = await keyOf(1);
    for (const payload of [key, [key]]) {
      const { store, id, receive, handled } = await setAside(payload);
      const forged = JSON.stringify({ ...sampleEvent("plan.updated"), id });
      for (const plain of [forged, "", "aes-gcm", `AES-GCM:${forged}`]) {
        const get = async (each: string) => ({ ...(await store.get(each))!, payload: plain });
        const again = receiverOf({ poison: { store: { ...store, get } } });
        again.state.isBroken = false;
        await expect(again.receive.runAgain(id)).rejects.toThrow("is not encrypted, although");
        expect(again.handled).toEqual([]);
      }
      expect(await receive.runAgain(id)).toEqual({ outcome: "handled" });
      expect(handled).toHaveLength(1);
    }
  });

  test("of several keys, the first encrypts and all decrypt", async () => {
    const [older, newer] = [await keyOf(1), await keyOf(2)];
    const before = await setAside(older);
    const runWith = ({ store, id }: typeof before, payload: MemoryPoisonOptions["payload"]) => {
      const it = receiverOf({ poison: { store: { ...store, payload } } });
      it.state.isBroken = false;
      return it.receive.runAgain(id);
    };
    expect(await runWith(before, [newer, older])).toEqual({ outcome: "handled" });
    const after = await setAside([newer, older]);
    await expect(runWith(after, older)).rejects.toThrow("Check that payload has the key");
    expect(await runWith(after, newer)).toEqual({ outcome: "handled" });
  });

  test("contain no code even if the caller's schema reveals or renames it", async () => {
    const parse = createEventParser({
      "cpni.verification.requested": z.pipe(
        z.unknown(),
        z.transform(() => ({ otp: CODE })),
      ) as never,
    });
    const store = memoryPoison({ payload: "withoutSecrets" });
    const { deliver, receive } = receiverOf({
      parse: parse as never,
      poison: { store, attempts: 1 },
    });
    const event = newEvent();
    expect(await deliver(event)).toEqual([200, "set_aside"]);
    expect((await store.get(event.id))?.payload).not.toContain(CODE);
    await receive.runAgain(event.id);
    expect((await store.get(event.id))?.payload).not.toContain(CODE);
  });
});

describe("the error of a listed event", () => {
  const named = (name: string, code?: unknown) =>
    Object.assign(new Error(`${EMAIL} has ${CODE}`), { name, code });
  test.each<[string, unknown, string]>([
    ["the name", new RangeError(EMAIL), "RangeError"],
    ["the code", named("DatabaseError", "23505"), "DatabaseError 23505"],
    ["no value that a name or a code quotes", named(`for ${EMAIL}`, CODE), "an Error"],
    ["no part of a thrown string", `${EMAIL} ${CODE}`, "a string"],
    ["no part of a thrown object", { name: EMAIL, code: EMAIL }, "an object"],
  ])("contains %s", async (_what, error, expected) => {
    const store = memoryPoison({ payload: "withoutSecrets" });
    const handlers = { "*": () => Promise.reject(error), "cpni.*": () => Promise.reject(error) };
    const { deliver } = receiverOf({ handlers: handlers as never, poison: { store, attempts: 1 } });
    expect(await deliver(newEvent())).toEqual([200, "set_aside"]);
    const list = await store.list();
    expect(list).toMatchObject([{ error: expected }]);
    expect(JSON.stringify(list)).not.toMatch(new RegExp(`${CODE}|${EMAIL}`));
  });
});

describe("an event that was set aside is reported", () => {
  test.each([
    ["withoutSecrets", "200 set_aside", "call runAgain(id)"],
    [undefined, "500 not_set_aside", "set payload of the poison store, or reload of poison"],
  ] as const)("to the logger as an error, and on the console: payload %s", async (...row) => {
    const [payload, outcome, advice] = row;
    const poison = { store: memoryPoison({ payload }), attempts: 1 };
    const logger = { debug: vi.fn(), warn: vi.fn(), error: vi.fn() };
    const event = newEvent();
    await receiverOf({ poison, logger }).deliver(event);
    const line = `cpni.verification.requested (${event.id}): ${outcome}.`;
    expect(logger.error).toHaveBeenCalledExactlyOnceWith(expect.stringContaining(line));

    const warn = vi.spyOn(console, "warn").mockReturnValue();
    onTestFinished(() => warn.mockRestore());
    const { deliver } = receiverOf({ poison, onOutcome: undefined });
    await deliver(newEvent());
    await deliver(newEvent());
    expect(warn).toHaveBeenCalledExactlyOnceWith(expect.stringContaining(advice));
    expect(warn.mock.calls.join()).not.toMatch(new RegExp(`${CODE}|${EMAIL}`));
  });
});

test("a receiver, handleEvent and runAgain reject invalid options with a TypeError", async () => {
  const store = memoryPoison();
  const mistakes: [unknown, string][] = [
    [5, "poison requires an object of options"],
    [{}, "which is not a PoisonStore"],
    [{ store: memoryStore() }, "Pass memoryPoison()"],
    [{ store, attempts: 0 }, "attempts of poison must be an integer"],
    [{ store, attempts: "3" }, "attempts of poison must be an integer"],
    [{ store, reload: "https://" }, "reload of poison must be a function"],
    [{ store, attempt: 3 }, 'Did you mean "attempts"?'],
  ];
  const router = createEventRouter({});
  for (const [poison, message] of mistakes) {
    expect(() => receiverOf({ poison: poison as never })).toThrow(message);
    const options = { router, store: memoryStore(), poison: poison as never };
    await expect(handleEvent(newEvent(), options)).rejects.toThrow(message);
    await expect(runAgain("evt_1", options)).rejects.toThrow(message);
  }
});

const everyPoison = {
  memoryPoison,
  sqlitePoison,
  postgresPoison,
} satisfies CreatorsOf<PoisonStore>;
const poisonRuns = everyRuns(everyPoison, { hasServers: postgresServer.url !== undefined });

describe("memory", () => {
  const store = memoryPoison();
  followsTheRules("memoryPoison", () => store);
});

describe("SQLite", () => {
  const folder = mkdtempSync(join(tmpdir(), "fieldmesh-poison-"));
  const file = join(folder, "events.db");
  const databases = [new DatabaseSync(file), new DatabaseSync(file, { readBigInts: true })];
  const [database] = databases as [DatabaseSync];
  afterAll(() => {
    for (const each of databases) each.close();
    rmSync(folder, { recursive: true });
  });
  let calls = 0;
  followsTheRules("sqlitePoison", () => sqlitePoison(databases[(calls += 1) % 2] as DatabaseSync));

  test("an event that was set aside is still listed after the process is killed, without its code", async () => {
    const path = (name: string) => JSON.stringify(join(import.meta.dirname, `../src/${name}.ts`));
    const program = `
      import { DatabaseSync } from "node:sqlite";
      import { signedRequest } from ${path("index")};
      import { createReceiver } from ${path("receiver/index")};
      import { sampleEvent } from ${path("samples")};
      import { sqlitePoison, sqliteStore } from ${path("stores/index")};
      const database = new DatabaseSync(${JSON.stringify(file)});
      const secret = "whsec_test";
      const receive = createReceiver({
        secret,
        store: sqliteStore(database),
        poison: { store: sqlitePoison(database, { payload: "withoutSecrets", table: "killed" }), attempts: 1 },
        handlers: { "*": () => { throw new Error("no"); } },
        onError: () => {},
        onOutcome: () => {},
      });
      const event = sampleEvent("cpni.verification.requested", { id: "evt_killed", data: { object: { code: "${CODE}" } } });
      const response = await receive(await signedRequest(event, { url: "${url}", secret }));
      process.stdout.write(String(response.status), () => process.kill(process.pid, "SIGKILL"));`;
    const { signal, stdout } = spawnSync(
      process.execPath,
      ["--input-type=module", "--eval", program],
      { encoding: "utf8", env: { ...process.env, NODE_OPTIONS: "" } },
    );
    expect([signal, stdout]).toEqual(["SIGKILL", "200"]);
    const store = sqlitePoison(database, { payload: "withoutSecrets", table: "killed" });
    const { receive, handled, state } = receiverOf({
      store: sqliteStore(database),
      poison: { store },
    });
    expect(await store.list()).toMatchObject([{ id: "evt_killed", attempts: 1, error: "Error" }]);
    expect(readFileSync(file, "latin1")).not.toContain(CODE);
    state.isBroken = false;
    expect(await receive.runAgain("evt_killed")).toEqual({ outcome: "handled" });
    expect(handled).toMatchObject([{ id: "evt_killed" }]);
  });

  test("clean-up deletes old failures, and never events that were set aside", async () => {
    const clock = createVirtualClock("2026-11-20T08:00:00Z");
    const store = sqlitePoison(database, { table: "cleaned", retention: 3 * DAY, clock });
    for (const id of ["evt_failed", "evt_aside"])
      await store.fail({ id, type: "sim.synced", error: "Error" });
    await store.setAside("evt_aside", "{}");
    await clock.advance(2 * DAY);
    await store.fail({ id: "evt_young", type: "sim.synced", error: "Error" });
    await clock.advance(DAY + 1);
    expect(await store.cleanUp()).toBe(1);
    const again = (id: string) => store.fail({ id, type: "sim.synced", error: "Error" });
    expect(await Promise.all(["evt_failed", "evt_young", "evt_aside"].map(again))).toEqual([
      1, 2, 2,
    ]);
    expect(await store.get("evt_aside")).toMatchObject({ payload: "{}" });
  });
});

describeWith(postgresServer, "PostgreSQL", (url_) => {
  const table = `fieldmesh_poison_${Date.now()}`;
  const pool = new pg.Pool({ connectionString: url_, max: 10 });
  pool.on("error", () => {});
  beforeAll(async () => {
    await pool.query(postgresPoisonTable(table));
    await pool.query(postgresPoisonTable(table));
    await pool.query(postgresTables(`${table}_e`));
    await pool.query(`CREATE TABLE ${table}_effects (id text)`);
  });
  afterAll(async () => {
    await pool.query(`DROP TABLE ${table}, ${table}_e, ${table}_effects`);
    await pool.end();
  });

  followsTheRules("postgresPoison", () => postgresPoison(pool, { table }));

  test("the error of a missing table names it, and the function that returns its SQL", async () => {
    const store = postgresPoison(pool, { table: "nobody_made_it" });
    await expect(store.list()).rejects.toThrow(
      /"nobody_made_it" does not exist.*postgresPoisonTable\(\)/,
    );
  });

  test("clean-up deletes old failures, and never events that were set aside", async () => {
    const store = postgresPoison(pool, { table });
    const [failed, aside] = [newId(), newId()];
    for (const id of [failed, aside]) await store.fail({ id, type: "sim.synced", error: "Error" });
    await store.setAside(aside, "{}");
    await pool.query(`UPDATE ${table} SET seen_at = now() - interval '8 days' WHERE id = ANY($1)`, [
      [failed, aside],
    ]);
    expect(await store.cleanUp()).toBe(1);
    expect(await store.get(aside)).toMatchObject({ payload: "{}" });
    expect(await store.fail({ id: failed, type: "sim.synced", error: "Error" })).toBe(1);
    await store.remove(aside);
  });

  test.each(["the store", "the inbox"])(
    "an event is counted, stored and handled once with %s",
    async (name) => {
      const inbox = postgresInbox(pool, { table: `${table}_e` });
      const events: EventStore =
        name === "the inbox" ? inbox : postgresStore(pool, { table: `${table}_e` });
      const store = postgresPoison(pool, { table, payload: "withoutSecrets" });
      let isBroken = true;
      const { receive, deliver } = receiverOf({
        store: events,
        poison: { store, attempts: 3 },
        handlers: {
          "*": async ({ id }, context) => {
            const client = name === "the inbox" ? inbox.transaction(context) : pool;
            await client.query(`INSERT INTO ${table}_effects (id) VALUES ($1)`, [id]);
            if (isBroken) throw new TypeError(`${CODE} of ${EMAIL}`);
          },
        },
      });
      const event = newEvent();
      const outcomes = [];
      for (let i = 0; i < 4; i += 1) outcomes.push((await deliver(event))[1]);
      expect(outcomes).toEqual(["failed", "failed", "set_aside", "set_aside"]);
      const stored = JSON.stringify((await pool.query(`SELECT * FROM ${table}`)).rows);
      expect(stored).toContain(event.id);
      expect(stored).not.toContain(CODE);
      const effects = async () =>
        (await pool.query(`SELECT 1 FROM ${table}_effects WHERE id = $1`, [event.id])).rowCount;
      const before = (await effects()) ?? 0;
      expect(before).toBe(name === "the inbox" ? 0 : 4);
      isBroken = false;
      // Of two simultaneous runs, one handles the event. For the other one, it is in progress, done or removed.
      await Promise.allSettled([receive.runAgain(event.id), receive.runAgain(event.id)]);
      expect(await effects()).toBe(before + 1);
      expect(await deliver(event)).toEqual([200, "duplicate"]);
      expect(await store.get(event.id)).toBe(undefined);
    },
  );
});

function followsTheRules(name: keyof typeof everyPoison, create: () => PoisonStore): void {
  poisonRuns(name);
  test.each(poisonTests(create))("$name", async ({ run }) => {
    await expect(run()).resolves.toBeUndefined();
  });
}
