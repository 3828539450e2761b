import { createConsoleClient } from "../../console-client/src/index.ts";
import type { Validation } from "@fieldmesh/core";
import { createLedgerClient } from "../../ledger-client/src/index.ts";
import { parseConsoleUplink } from "../../mapper-client/src/uplink.ts";
import { parseEvent } from "../../webhook-types/src/parse/index.ts";

// small-heap.test.ts runs this with a small heap. It prints how each case ended, and how many problems were named.

const [size = "0", ...modes] = process.argv.slice(2);

/** Returns a list, or the members of a record, of about the given number of bytes. */
function listOf(item: string, bytes = Number(size)): string {
  const items: string[] = Array(Math.floor(bytes / (item.length + 1))).fill(item);
  return `[${items.join()}]`;
}

function recordOf(value: string): string {
  const names = Array.from({ length: Number(size) / (value.length + 10) }, (_, at) => `"key${at}"`);
  return `{${names.map((name) => `${name}:${value}`).join()}}`;
}

const device = `"id":"${crypto.randomUUID()}","name":"d","dev_eui":"0011223344556677","app_eui":"0011223344556677","oui":1`;
const receipt = `"type":"poc_receipts_v1","hash":"h","height":7,"time":1`;
const event = `"id":"evt_1","created_at":"2026-11-20T08:30:00Z","livemode":true,"idempotency_key":"k"`;

type Problems = readonly { readonly path: string; readonly message: string }[];
type Run = (
  body: string,
  validation: Validation,
  onDrift: (drift: { readonly problems: Problems }) => void,
) => Promise<unknown>;

const optionsOf = (...[body, validation, onDrift]: Parameters<Run>) => ({
  baseUrl: "https://a.test",
  apiKey: "key",
  validation,
  onDrift,
  fetch: async () => new Response(body),
});
const consoleOf = (...run: Parameters<Run>) => createConsoleClient(optionsOf(...run));
const ledgerOf = (...[body, validation, onDrift]: Parameters<Run>) => {
  const { apiKey: _, ...options } = optionsOf(body, validation, onDrift);
  return createLedgerClient(options);
};
const transactionsOf = (...run: Parameters<Run>) =>
  ledgerOf(...run).blocks.transactions({ height: 7 });
const read: Run = async (body, validation, onDrift) => parseEvent(body, { validation, onDrift });

const cases: Readonly<Record<string, readonly [body: string, run: Run]>> = {
  "a list of devices": [listOf("{}"), (...run) => consoleOf(...run).devices.list()],
  "labels of a device": [
    `{${device},"labels":${listOf("{}")}}`,
    (...run) => consoleOf(...run).devices.get({ device_id: crypto.randomUUID() }),
  ],
  "labels of every device": [
    listOf(`{"labels":${listOf("{}", 10_000)}}`),
    (...run) => consoleOf(...run).devices.list(),
  ],
  "a union of device events": [
    listOf('{"category":7}'),
    (...run) => consoleOf(...run).devices.events({ device_id: crypto.randomUUID() }),
  ],
  "a page of the ledger": [
    `{"data":${listOf("{}")}}`,
    (...run) =>
      ledgerOf(...run)
        .accounts.list()
        .page(),
  ],
  "a union of transactions": [
    `{"data":${listOf('{"type":"poc_receipts_v1"}')}}`,
    (...run) => transactionsOf(...run).page(),
  ],
  "a path of a receipt": [
    `{"data":[{${receipt},"path":${listOf("{}")}}]}`,
    (...run) => transactionsOf(...run).page(),
  ],
  "a record of counts": [
    `{"data":${recordOf("{}")}}`,
    (...run) => ledgerOf(...run).accounts.activityCount({ address: "1abc" }),
  ],
  "a record of anything": [`{"data":${recordOf("{}")}}`, (...run) => ledgerOf(...run).vars.list()],
  "an event": [`{${event},"type":"plan.created","data":${listOf("{}")}}`, read],
  "an object of an event": [
    `{${event},"type":"plan.created","data":{"object":${listOf("{}")}}}`,
    read,
  ],
  "reasons of an event": [
    `{${event},"type":"fraud.evaluated","data":{"object":{"id":7,"reasons":${recordOf("{}")}}}}`,
    read,
  ],
  "a list in place of an event": [listOf("{}"), read],
  "hotspots of an uplink": [`{"hotspots":${listOf("{}")}}`, (body) => parseConsoleUplink(body)],
};

for (const [name, [body, run]] of Object.entries(cases)) {
  for (const validation of modes as Validation[]) {
    const drifts: Problems[] = [];
    const end = await run(body, validation, ({ problems }) => drifts.push(problems)).then(
      () => ({ end: "output", named: 0 }),
      (error: Error & { problems?: Problems }) => ({
        end: error.name,
        named: error.problems?.length ?? error.message,
        last: error.problems?.at(-1),
      }),
    );
    const drift = drifts.map((problems) => ({ named: problems.length, last: problems.at(-1) }));
    // oxlint-disable-next-line no-console -- the test reads it
    console.log(JSON.stringify({ name, validation, ...end, drift }));
  }
}
