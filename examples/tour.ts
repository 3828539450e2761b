// A tour through the device console, the ledger, the webhooks, and all services together: npm start
//
// It uses the published packages only. Against a console of your own, leave the sandbox out and give baseUrl and apiKey.
import {
  createConsoleClient,
  type BulkProgress,
  isApiError,
  isInputError,
  isUplinkEvent,
} from "@fieldmesh/console-client";
import { startSandbox } from "@fieldmesh/sandbox";
import { explain, readInventory } from "./inventory.ts";
import { chapter, progressBar, say, show } from "./terminal.ts";
import { tourLedger } from "./tour-ledger.ts";
import { tourTogether } from "./tour-together.ts";
import { tourWebhooks } from "./tour-webhooks.ts";

const INVENTORY = new URL("data/inventory.csv", import.meta.url);

await using sandbox = await startSandbox({ seed: 1 });
const client = createConsoleClient({ baseUrl: sandbox.console.baseUrl, apiKey: sandbox.apiKey });

chapter("1. Who am I?");
say(`A sandbox of the device console answers at ${sandbox.console.baseUrl}.`);
await show("client.organization.list()", () => client.organization.list());

chapter("2. A label for each kind of device");
const columns = (await readInventory(INVENTORY)).map((row) => row.columns["label"] ?? "");
const labelIds = new Map<string, string>();
for (const name of new Set(columns)) {
  const label = await show(`client.labels.create({ name: "${name}" })`, () =>
    client.labels.create({ name }),
  );
  labelIds.set(name, label.id);
}

chapter("3. Import of an inventory");
const rows = await readInventory(INVENTORY, labelIds);
say(
  `examples/data/inventory.csv has ${rows.length} devices, some of them bad as they are in real life.`,
);
const bar = progressBar(rows.length);
const devices = rows.map(({ device }) => device);
const onProgress = ({ settled }: BulkProgress): void => bar(settled);
const { results } = await show("client.devices.createMany(devices, { onProgress })", () =>
  client.devices.createMany(devices, { chunkSize: 500, onProgress }),
);
say(`${results.failed.length} rows were not taken. Every one says why:`);
for (const failure of results.failed) {
  const row = rows[failure.index]!;
  console.log(`  line ${String(row.line).padStart(4)}  ${explain(row, failure)}`);
}
say(
  "`npx @fieldmesh/cli devices import` does this for your file, and writes the bad rows to a file that you can correct.",
);

chapter("4. One of them");
const device_id = results.created[0]!.id;
const device = await show("client.devices.get({ device_id })", () =>
  client.devices.get({ device_id }),
);
say("The key is a Secret: no printer shows it. device.app_key.reveal() gives it.");

chapter("5. An integration, and a flow from a label to it");
const integration = await show("client.integrations.createHttp({ … })", () =>
  client.integrations.createHttp({
    name: "Data lake",
    endpoint: "https://lake.example.com/uplinks",
    method: "post",
    headers: { authorization: "Bearer t0ken" },
    url_params: { device: "{{device_id}}" },
  }),
);
const flow = { integration_id: integration.id, label_id: [...labelIds.values()][0]! };
await show("client.flows.create({ integration_id, label_id })", () => client.flows.create(flow));
const [connected] = await show("client.flows.list({ integration_id })", () =>
  client.flows.list({ integration_id: integration.id }),
);

chapter("6. What a device sends");
await sandbox.clock.advance(60 * 60 * 1_000);
say("An hour passes in the sandbox.");
const events = await show("client.devices.events({ device_id })", () =>
  client.devices.events({ device_id }),
);
for (const { data } of events.filter(isUplinkEvent).slice(0, 3)) {
  console.log(
    `  uplink ${data.fcnt}: ${data.payload_size} bytes on port ${data.port}, heard by ${data.hotspot?.name}`,
  );
}

chapter("7. When something is wrong");
say("Bad input is refused before anything is sent:");
await show('client.labels.get({ label_id: "pumps" })', () =>
  client.labels.get({ label_id: "pumps" }),
).catch(expected(isInputError));
say("An error says what was attempted, what happened and what to do:");
await show('client.labels.find({ name: "Nothing" })', () =>
  client.labels.find({ name: "Nothing" }),
).catch(expected((error) => isApiError(error, 404)));

chapter("8. Tidy up");
await show("client.flows.delete({ flow_id })", () =>
  client.flows.delete({ flow_id: connected!.id }),
);
await show("client.integrations.delete({ integration_id })", () =>
  client.integrations.delete({ integration_id: integration.id }),
);
await show("client.devices.delete({ id })", () => client.devices.delete({ id: device.id }));
await show("client.labels.delete({ label_id })", () =>
  client.labels.delete({ label_id: flow.label_id }),
);

await tourLedger(sandbox, 9);
await tourWebhooks(sandbox, 10);
await tourTogether(sandbox, 11);

console.log("\nThat was the tour. Read examples/tour.ts, then docs/guides.");

/** Lets an error pass that the tour wants to show, and no other. */
function expected(isExpected: (error: unknown) => boolean): (error: unknown) => void {
  return (error) => {
    if (!isExpected(error)) throw error;
  };
}
