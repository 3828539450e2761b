import { stringifyJson } from "@fieldmesh/core";
import { createConsoleClient } from "../../console-client/src/index.ts";
import { createLedgerClient } from "../../ledger-client/src/index.ts";
import { parseConsoleUplink } from "../../mapper-client/src/uplink.ts";
import { currentEventTypes, signedRequest } from "../../webhook-types/src/index.ts";
import { parseEvent } from "../../webhook-types/src/parse/index.ts";
import { createReceiver, memoryStore } from "../../webhook-types/src/receiver/index.ts";
import { sampleEvent } from "../../webhook-types/src/samples.ts";
import { createSandbox } from "../../sandbox/src/engine/index.ts";
import { callWith, rows, userInput } from "../../../tools/testing/services.ts";

// Prints what clients, parsers and receivers do on a host. hosts.test.ts compares it with that of another host.

const hosts: Readonly<Record<string, () => void>> = {
  plain: () => undefined,
  "enumerable members on Object.prototype": () =>
    void Object.assign(Object.prototype, { extend: () => undefined, isEmpty: false }),
  "a frozen Error.prototype": () => {
    for (const each of [Error, TypeError, RangeError, SyntaxError, DOMException])
      Object.freeze(each.prototype);
  },
};

const baseUrl = "https://service.test";
const secret = "whsec_of_a_receiver_on_a_host";
const sandbox = createSandbox();
const responding = (status: number, body: unknown) => ({
  baseUrl,
  retry: false as const,
  fetch: () => Promise.resolve(new Response(stringifyJson(body), { status })),
});

/** Each thing that users do, for all rows and all types of events. */
const doings: Readonly<Record<string, () => unknown>> = {
  ...Object.fromEntries(
    rows.flatMap((each) => {
      const { row } = each;
      // Decoded by the zod of the tests, on a plain host.
      const input = userInput(row);
      const call = (status: number, body: unknown) => () =>
        callWith(each, responding(status, body), input);
      const name = `${each.service.package}: ${each.call}`;
      return [
        [name, call(row.status, row.sample.output)],
        [`${name}, 404`, call(404, { detail: "none" })],
        [`${name}, another body`, call(row.status, [[{}]])],
      ];
    }),
  ),
  ...Object.fromEntries(
    currentEventTypes.map((type) => [
      `parse ${type}`,
      () => parseEvent(stringifyJson(sampleEvent(type), { reveal: true })),
    ]),
  ),
  "parse no JSON": () => parseEvent("{"),
  "parse another uplink": () => parseConsoleUplink("{}"),
  async "receive an event, and one with a wrong signature"() {
    const types: string[] = [];
    const handlers = { "*": ({ type }: { readonly type: string }) => void types.push(type) };
    const receive = createReceiver({ secret, store: memoryStore(), handlers });
    const send = async (by: string): Promise<Response> =>
      await receive(
        await signedRequest(sampleEvent("sim.activated"), { url: baseUrl, secret: by }),
      );
    const one = await send(secret);
    const other = await send("whsec_of_another_receiver");
    return { types, statuses: [one.status, other.status] };
  },
  async "create devices in bulk, and read them one by one"() {
    const client = createConsoleClient({ ...sandbox.console, apiKey: sandbox.apiKey });
    const device = {
      name: "Tank",
      dev_eui: "0004A30B0000FF01",
      app_eui: "70B3D57ED0010001",
      app_key: "A0112233445566778899AABBCCDDEE01",
    };
    const outcomes: string[] = [];
    for await (const { status } of client.devices.createMany([device])) outcomes.push(status);
    const names: string[] = [];
    for await (const { name } of client.devices.each()) names.push(name);
    return { outcomes, names };
  },
  "an unknown option": () => createLedgerClient({ baseUrl, retrys: 1 } as never),
  "a broken connection": () =>
    createLedgerClient({
      baseUrl,
      retry: false as const,
      fetch: () => Promise.reject(new TypeError("fetch failed")),
    }).blocks.height(),
  "a time-out": () =>
    createLedgerClient({
      baseUrl,
      retry: false as const,
      timeout: 20,
      fetch: (_, { signal }) =>
        new Promise((_resolve, reject) => {
          signal.addEventListener("abort", () => reject(signal.reason as Error));
        }),
    }).blocks.height(),
};

hosts[process.argv[2] ?? ""]?.();
const seen: [string, unknown][] = [];
for (const [name, work] of Object.entries(doings)) {
  try {
    seen.push([name, JSON.parse(stringifyJson((await work()) ?? null))]);
  } catch (error) {
    const { name: kind, message } = error as Error;
    seen.push([name, `${kind}: ${message}`]);
  }
}
process.stdout.write(JSON.stringify(seen));
