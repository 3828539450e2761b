// The device's chapter of the tour: its key, an integration with a flow to it, and what it sends.
import { inspect } from "node:util";
import { createConsoleClient, isUplinkEvent } from "@fieldmesh/console-client";
import type { RunningSandbox } from "@fieldmesh/sandbox";
import { print, prove, say, show } from "./screen.ts";

const HOUR = 3_600_000;
const meter = {
  name: "Water meter 1",
  dev_eui: "0004A30B001C0530",
  app_eui: "70B3D57ED0010002",
  app_key: "2B7E151628AED2A6ABF7158809CF4F3C",
};

/** Creates a device in a sandbox, connects it, and reads what it sends. */
export async function tourDevice(sandbox: RunningSandbox): Promise<void> {
  const { baseUrl, apiKey } = sandbox.console;
  const authorization = "Bearer t0ken";
  const client = createConsoleClient({ baseUrl, apiKey });

  const device = await show(
    () => client.devices.create(meter),
    ["id", "name", "dev_eui", "app_key"],
  );
  const printed = [
    inspect(device, { depth: Infinity, showHidden: true }),
    JSON.stringify(device),
    String(device.app_key),
  ];
  prove(
    "Secrets stay secret",
    printed.every((output) => !output.includes(meter.app_key)) &&
      device.app_key?.reveal() === meter.app_key,
    "inspect, JSON.stringify and String show [redacted]; device.app_key.reveal() returns the key",
  );

  say("A flow leads from the device to an HTTP integration:");
  const integration = await show(
    () =>
      client.integrations.createHttp({
        name: "Data lake",
        endpoint: "https://lake.example.com/uplinks",
        method: "post",
        headers: { authorization },
      }),
    ["id", "name", "credentials"],
  );
  await show(
    () => client.flows.create({ integration_id: integration.id, device_id: device.id }),
    ["message"],
  );

  await sandbox.clock.advance(HOUR);
  say("An hour passes in the sandbox. The events are typed:");
  const events = await show(
    () => client.devices.events({ device_id: device.id }),
    ["category", "sub_category", "description"],
  );
  for (const { data } of events.filter(isUplinkEvent).slice(0, 3))
    print(
      `uplink ${data.fcnt}: ${data.payload_size} bytes on port ${data.port}, heard by ${data.hotspot?.name}`,
    );
}
