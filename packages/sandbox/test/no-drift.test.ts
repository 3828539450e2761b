import { createConsoleClient } from "@fieldmesh/console-client";
import type { Drift } from "@fieldmesh/http";
import { createLedgerClient } from "@fieldmesh/ledger-client";
import { createMobileClient } from "@fieldmesh/mobile-client";
import { expect, test } from "vitest";
import { startSandbox } from "../src/index.ts";

const euis = { app_eui: "70B3D57ED0000001", app_key: "2B7E151628AED2A6ABF7158809CF4F3C" };

test.each(["spec", "hosted"] as const)(
  "a deployment of the kind %s sends no drift",
  async (deployment) => {
    await using sandbox = await startSandbox({
      console: { deployment },
      ledger: { deployment },
      mobile: { deployment },
    });
    const drift = new Set<string>();
    const onDrift = ({ call, problems }: Drift): void =>
      problems.forEach(({ path, message }) => drift.add(`${call} ${path} ${message}`));
    const { origin, apiKey } = sandbox;

    const console = createConsoleClient({ baseUrl: `${origin}/console`, apiKey, onDrift });
    const { devices, labels, integrations, flows } = console;
    await console.organization.list();
    const [device] = await devices.list();
    const { id: device_id, name, dev_eui, app_eui, app_key } = device!;
    await devices.get({ device_id });
    await devices.find({ dev_eui, app_eui, app_key });
    const pump = { name: "Pump", ...euis, dev_eui: "0004A30B001C0530" };
    await devices.createBatch({ devices: [pump, { name, dev_eui, app_eui, app_key }] });
    await devices.setActive({ device_id, active: true });
    await devices.events({ device_id });
    const [label] = await labels.list();
    const label_id = label!.id;
    await labels.get({ label_id });
    await labels.find({ name: label!.name });
    await labels.create({ name: "Pumps of a test" });
    await labels.setActive({ label_id, active: true });
    const lake = { name: "Lake", endpoint: "https://lake.test", method: "post" };
    const { id: integration_id } = await integrations.createHttp(lake);
    await integrations.createPrebuilt({ name: "Partner", type: "partner1", token: "t" });
    await integrations.list();
    await integrations.get({ integration_id });
    await flows.create({ integration_id, label_id });
    await flows.list({ integration_id });
    await integrations.delete({ integration_id });

    const { blocks, accounts, locations } = createLedgerClient({
      baseUrl: `${origin}/ledger`,
      onDrift,
    });
    const { height } = await blocks.height();
    await blocks.stats();
    await blocks.list().toArray({ limit: 100 });
    for (const each of [height - 2, height - 1, height])
      await blocks.transactions({ height: each }).toArray({ limit: 100 });
    const [account] = await accounts.list().toArray({ limit: 1 });
    const { address } = account!;
    await accounts.get({ address });
    const hotspots = await accounts.hotspots({ address }).toArray({ limit: 5 });
    for (const { location } of hotspots) if (location != null) await locations.get({ location });
    await accounts.challenges({ address }).toArray({ limit: 100 });

    const { mobile } = sandbox;
    const baseUrl = `${origin}/mobile`;
    const { subscribers, events } = createMobileClient({ baseUrl, apiKey: mobile.apiKey, onDrift });
    const { id } = (await subscribers.create({ email: "ada@example.com", name: "Ada" }))!;
    await subscribers.get({ id: id! });
    await subscribers.delete({ id: id! });
    await events.list().toArray({ limit: 100 });

    expect([...drift]).toEqual([]);
  },
);
