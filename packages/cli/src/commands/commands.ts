import type { Command } from "../command.ts";
import { deviceCommands } from "../fleet/device-commands.ts";
import { moveCommands } from "../fleet/move-commands.ts";
import { ledgerCommands } from "../ledger/commands.ts";
import { mirrorCommands } from "../mirror/commands.ts";
import { settingsCommands } from "../settings/commands.ts";
import { webhookCommands } from "../webhooks/commands.ts";

/** Every command that is written by hand; those of the tables are in generated/rows.json. */
export const commands: readonly Command[] = [
  ...deviceCommands,
  ...moveCommands,
  ...ledgerCommands,
  ...mirrorCommands,
  ...webhookCommands,
  ...settingsCommands,
];

/** A line of help for each first word of commands. */
export const groups: Readonly<Record<string, string>> = {
  console: "Call the device console",
  devices: "Import, export and change many devices, and follow one",
  fleet: "Move a fleet to another console or network server",
  ledger: "Call the ledger, and export from it",
  "ledger export": "Export rewards, activity or blocks to a file",
  mapper: "Call the mapping ingest",
  mirror: "Compare and repair a mirror of the mobile service",
  mobile: "Call the mobile connectivity service",
  profile: "Store addresses and keys under a name",
  webhooks: "Receive, send and inspect webhooks",
};
