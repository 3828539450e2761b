import type { ConsoleClient } from "@fieldmesh/console-client";
import type { LedgerClient } from "@fieldmesh/ledger-client";
import { test } from "vitest";

// Records have the types of their schemas, which field-marks.test.ts checks. What an input requires is a type only.

declare const console: ConsoleClient;
declare const ledger: LedgerClient;

test("what an endpoint requires is required, and what is optional may be left out", () => {
  void console.devices.create({ name: "", dev_eui: "", app_eui: "", app_key: "" });
  // @ts-expect-error name, dev_eui, app_eui and app_key are required
  void console.devices.create({ name: "" });
  void console.labels.create({ name: "", config_profile_id: "" });
  // @ts-expect-error config_profile_id is required: a UUID, or null
  void console.devices.setConfigProfile({ device_id: "" });
  void console.devices.setConfigProfile({ device_id: "", config_profile_id: null });
  void console.labels.setConfigProfile({ label_id: "", config_profile_id: null });
  // @ts-expect-error dev_eui is required
  void console.devices.setActiveByEui({ active: true });
  void console.flows.create({ integration_id: "", label_id: "", function_id: "" });
  void ledger.blocks.height();
  void ledger.accounts.rich();
  // @ts-expect-error min_time and max_time are required
  void ledger.accounts.rewardsSum({ address: "", min_time: "now" });
  void ledger.accounts.rewards({ address: "" });
});
