import { tmpdir } from "node:os";
import { join } from "node:path";
import { createContext, runInContext, runInThisContext } from "node:vm";
import { expect, test } from "vitest";
import { showValue } from "../packages/cli/src/output/table.ts";
import { createConsoleClient } from "../packages/console-client/src/index.ts";
import { borrow } from "../packages/core/src/database/port.ts";
import { lend } from "../packages/core/src/database/lend.ts";
import { redact } from "../packages/core/src/schema/index.ts";
import * as z from "../packages/core/src/zod.ts";
import { createLedgerClient } from "../packages/ledger-client/src/index.ts";
import { parseConsoleUplink } from "../packages/mapper-client/src/uplink.ts";
import { createSandbox, createVirtualClock } from "../packages/sandbox/src/engine/index.ts";
import { withLock } from "../packages/sandbox/src/index.ts";
import { handlers } from "../packages/sandbox/src/msw.ts";
import { createEventParser } from "../packages/webhook-types/src/parse/index.ts";
import { sampleEvent } from "../packages/webhook-types/src/samples.ts";

/** Runs code in a realm. */
type Realm = (code: string) => unknown;

/** The classes of a browser, which a context of node:vm does not have: jsdom brings its own. */
const BROWSER = `
class URL {
  constructor(href) { this.href = href; }
  toString() { return this.href; }
  get [Symbol.toStringTag]() { return "URL"; }
}
class AbortSignal extends EventTarget {
  aborted = false;
  get [Symbol.toStringTag]() { return "AbortSignal"; }
}
class AbortController {
  signal = new AbortSignal();
  abort(reason) {
    Object.assign(this.signal, { aborted: true, reason });
    this.signal.dispatchEvent(new Event("abort"));
  }
}`;
const context = createContext({ EventTarget, Event });
runInContext(BROWSER, context);

const realms: Readonly<Record<string, Realm>> = {
  "this realm": (code) => runInThisContext(code),
  "another realm": (code) => runInContext(code, context),
};

const baseUrl = "https://example.com";
const PAGE = { data: [], meta: {} };
const respond = (): Promise<Response> => Promise.resolve(Response.json(PAGE));
const abortedBy = (realm: Realm): AbortController => realm("new AbortController()") as never;

/** Each place to which users pass a value of a class, and what must happen with it. */
const places: Readonly<Record<string, (realm: Realm) => unknown>> = {
  "the signal of a call, aborted during the request": async (realm) => {
    const controller = abortedBy(realm);
    const fetch = (_: string, { signal }: { signal: AbortSignal }) => {
      controller.abort("stop");
      return Promise.reject(signal.reason);
    };
    const client = createConsoleClient({ baseUrl, apiKey: "key", fetch });
    const call = client.organization.list({ signal: controller.signal });
    await expect(call).rejects.toMatchObject({ name: "AbortError", cause: "stop" });
  },
  "the signal of a call, aborted before": async (realm) => {
    const controller = abortedBy(realm);
    controller.abort("stop");
    const client = createConsoleClient({ baseUrl, apiKey: "key", fetch: respond });
    const call = client.organization.list({ signal: controller.signal });
    await expect(call).rejects.toMatchObject({ name: "AbortError", cause: "stop" });
  },
  "the signal of a call that succeeds": async (realm) => {
    const client = createLedgerClient({ baseUrl, fetch: respond });
    const page = client.accounts.list({}, { signal: abortedBy(realm).signal }).page();
    await expect(page).resolves.toMatchObject({ items: [] });
  },
  "the signal of blocks.follow": async (realm) => {
    const controller = abortedBy(realm);
    controller.abort("stop");
    const client = createLedgerClient({ baseUrl, fetch: respond });
    const next = client.blocks.follow({ from: 1, signal: controller.signal }).next();
    await expect(next).resolves.toEqual({ done: true, value: undefined });
  },
  "the signal of createMany": async (realm) => {
    const controller = abortedBy(realm);
    controller.abort("stop");
    const client = createConsoleClient({ baseUrl, apiKey: "key", fetch: respond });
    const run = client.devices.deleteMany([{ id: "a" }], { signal: controller.signal });
    await expect(run).rejects.toMatchObject({ cause: "stop" });
  },
  "the signal of withLock": async (realm) => {
    const controller = abortedBy(realm);
    const file = join(tmpdir(), `realm-${crypto.randomUUID()}`);
    const run = withLock(
      file,
      ({ signal }) => {
        controller.abort("stop");
        return Promise.resolve(signal.reason as unknown);
      },
      { signal: controller.signal },
    );
    await expect(run).resolves.toBe("stop");
  },
  "a baseUrl": (realm) => {
    const url = realm(`new URL("${baseUrl}")`) as URL;
    createConsoleClient({ baseUrl: url, apiKey: "key" });
  },
  "a base URL of handlers for msw": (realm) => {
    const url = realm(`new URL("${baseUrl}")`) as URL;
    expect(handlers(createSandbox(), { console: url })).toHaveLength(4);
  },
  "a time in an input of the ledger": async (realm) => {
    let sent = "";
    const fetch = (url: string) => {
      sent = url;
      return Promise.resolve(Response.json({ data: { height: 1 } }));
    };
    const max_time = realm("new Date(1.5e12)") as Date;
    await createLedgerClient({ baseUrl, fetch }).blocks.height({ max_time });
    expect(sent).toContain("max_time=2017-07-14T02%3A40%3A00.000Z");
  },
  "the start of a clock": (realm) => {
    expect(createVirtualClock(realm("new Date(1.5e12)") as Date).now()).toBe(1.5e12);
  },
  "the retryAfter of a fault": async (realm) => {
    const retryAfter = realm("new Date(1.5e12)") as Date;
    const fault = { on: "organization.list", kind: "status", status: 503, retryAfter } as const;
    const sandbox = createSandbox({ faults: [fault] });
    const sent = "Fri, 14 Jul 2017 02:40:00 GMT";
    expect(sandbox.snapshot()).toMatchObject({ faults: { script: [{ retryAfter: sent }] } });
    const call = createConsoleClient({ ...sandbox.console, retry: false }).organization.list();
    await expect(call).rejects.toMatchObject({ headers: { "retry-after": sent } });
  },
  "a Date in a record that is redacted": (realm) => {
    expect(redact(z.string(), realm("new Date(1.5e12)"))).toEqual(new Date(1.5e12));
  },
  "a Date in the output of a command": (realm) => {
    const shown = showValue(realm("new Date(1.5e12)"), { reveal: false });
    expect(shown).toBe("2017-07-14T02:40:00.000Z");
  },
  "an error of the function apiKey": async (realm) => {
    const error = realm("new Error('no vault')") as Error;
    const client = createConsoleClient({ baseUrl, apiKey: () => Promise.reject(error) });
    await expect(client.organization.list()).rejects.toMatchObject({ cause: error });
  },
  "a mistake in the function fetch": async (realm) => {
    const fetch = () => Promise.reject(realm("new ReferenceError('x is not defined')") as Error);
    const client = createConsoleClient({ baseUrl, apiKey: "key", fetch, retry: false });
    const call = client.organization.list();
    await expect(call).rejects.toThrow("the function fetch threw a ReferenceError");
  },
  "an error of a lost connection": async (realm) => {
    const error = realm("new Error('lost')") as Error;
    const onLost = (listener: (error: Error) => void) => {
      listener(error);
      return () => undefined;
    };
    const connection = { client: {}, send: () => Promise.resolve(), onLost, release() {} };
    const driver = { client: {}, connect: () => Promise.resolve(connection) };
    expect(await borrow(driver, ({ lost }) => Promise.resolve(lost.reason))).toBe(error);
  },
  "a query of a lent connection that nobody awaits": async (realm) => {
    const query = realm(
      `() => Promise.reject(Object.assign(new Error("gone"), { code: "40001" }))`,
    );
    const { lost } = { lost: new AbortController().signal };
    const loan = lend({ client: { query }, lost, send: () => Promise.resolve([]) });
    void (loan.connection() as { query: () => unknown }).query();
    await new Promise((resolve) => setImmediate(resolve));
    expect(loan.blame(new Error("hides it"))).toMatchObject({ errors: [{}, { message: "gone" }] });
  },
  "the bytes of an uplink": async (realm) => {
    const bytes = realm("new Uint8Array([110, 117, 108, 108])") as Uint8Array;
    await expect(parseConsoleUplink(bytes)).rejects.toThrow("got null");
  },
  "a schema that returns a promise": (realm) => {
    const validate = realm("async () => ({ value: 1 })") as () => Promise<{ value: number }>;
    const schema = { "~standard": { version: 1, vendor: "own", validate } } as const;
    const parse = createEventParser({ "sim.activated": schema });
    expect(() => parse(JSON.stringify(sampleEvent("sim.activated")))).toThrow("is asynchronous");
  },
};

test.each(
  Object.entries(places).flatMap(([place, check]) =>
    Object.entries(realms).map(([name, realm]) => [place, name, check, realm] as const),
  ),
)("%s may be of %s", async (_, __, check, realm) => {
  await check(realm);
});
