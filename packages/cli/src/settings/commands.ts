import type { Command } from "../command.ts";

export const settingsCommands: readonly Command[] = [];
