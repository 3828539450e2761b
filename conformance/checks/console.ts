import { createConsoleClient, Secret } from "@fieldmesh/console-client";
import { expectSame, rejection } from "../expect.ts";
import type { Check } from "../setting.ts";

const DEVICES = 2_500;
const KEY = "2B7E151628AED2A6ABF7158809CF4F3C";

function* fleet() {
  for (let number = 1; number <= DEVICES; number++) {
    const eui = number.toString(16).toUpperCase().padStart(16, "0");
    yield { name: `Pump ${number}`, dev_eui: eui, app_eui: "70B3D57ED0010002", app_key: KEY };
  }
}

/** A check of a call under a fault. The name of the fault selects the console that plays it. */
interface FaultCheck {
  readonly fault: string;
  readonly title: string;
  /** A GET of four labels, or a POST of one. */
  readonly call: "get" | "post";
  /** Name and outcome of the error. Left out if the call succeeds. */
  readonly error?: readonly [name: string, outcome: string];
}

const faultCalls: readonly FaultCheck[] = [
  { fault: "reset", title: "a GET is sent again after a reset", call: "get" },
  {
    fault: "lost",
    title: "a POST whose response is lost is not sent again",
    call: "post",
    error: ["ConnectionError", "unknown"],
  },
  { fault: "truncated", title: "a GET is sent again after a body that was cut", call: "get" },
  { fault: "unavailable", title: "a GET is sent again after a 503", call: "get" },
  { fault: "too many", title: "a POST is sent again after a 429", call: "post" },
  {
    fault: "down",
    title: "a 503 that stays is an ApiError",
    call: "get",
    error: ["ApiError", "unknown"],
  },
  {
    fault: "slow",
    title: "a response that is late is a TimeoutError",
    call: "post",
    error: ["TimeoutError", "unknown"],
  },
  {
    fault: "garbage",
    title: "a body that is not JSON is named",
    call: "get",
    error: ["ResponseValidationError", "applied"],
  },
];

const faultChecks: readonly Check[] = faultCalls.map(({ fault, title, call, error }) => ({
  title,
  run: async ({ faults }) => {
    const { console: baseUrl = "", apiKey = "" } = faults[fault] ?? {};
    const client = createConsoleClient({ baseUrl, apiKey, timeout: 1_000, retry: { attempts: 3 } });
    const result = call === "get" ? client.labels.list() : client.labels.create({ name: "New" });
    if (error === undefined) {
      await result;
      return;
    }
    const { name, outcome } = await rejection(result);
    expectSame([name, outcome], error);
  },
}));

/** Bulk runs, secrets and aborts of the console. */
export const consoleChecks: readonly Check[] = [
  ...faultChecks,
  {
    title: `${DEVICES} devices are created, each once`,
    run: async ({ sandbox }) => {
      const client = createConsoleClient({ baseUrl: sandbox.console, apiKey: sandbox.apiKey });
      const before = (await client.devices.list()).length;
      const { created, failed, unknown } = await client.devices.createMany(fleet());
      expectSame({ created, failed, unknown }, { created: DEVICES, failed: 0, unknown: 0 });
      expectSame((await client.devices.list()).length - before, DEVICES);
    },
  },
  {
    title: "an aborted call rejects with an AbortError",
    run: async ({ faults }) => {
      const { console: baseUrl = "", apiKey = "" } = faults["slow"] ?? {};
      const client = createConsoleClient({ baseUrl, apiKey });
      const { name } = await rejection(client.labels.list({ signal: AbortSignal.timeout(50) }));
      expectSame(name, "AbortError");
    },
  },
  {
    title: "a secret shows itself in no string and no JSON",
    run: () => {
      const secret = new Secret(KEY);
      for (const text of [String(secret), JSON.stringify({ secret })])
        if (text.includes(KEY)) throw new Error("it does");
      expectSame(secret.reveal(), KEY);
    },
  },
  {
    title: "a wrong input is named before anything is sent",
    run: async ({ sandbox }) => {
      const client = createConsoleClient({ baseUrl: sandbox.console, apiKey: sandbox.apiKey });
      const { name, outcome } = await rejection(client.labels.create({ name: 7 as never }));
      expectSame([name, outcome], ["InputError", "not_sent"]);
    },
  },
];
