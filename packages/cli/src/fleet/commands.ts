import type { Command } from "../command.ts";

export const fleetCommands: readonly Command[] = [];
