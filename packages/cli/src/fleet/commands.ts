import type { Command } from "../command.ts";
import { deviceCommands } from "./device-commands.ts";
import { moveCommands } from "./move-commands.ts";

export const fleetCommands: readonly Command[] = [...deviceCommands, ...moveCommands];
