import type { Command } from "../command.ts";

export const ledgerCommands: readonly Command[] = [];
