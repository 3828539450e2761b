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
