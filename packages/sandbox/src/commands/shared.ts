// What a program loads before it runs a command: descriptions, and no other package.
export { sandboxCommand, webhookCommands } from "./specs.ts";
export { SANDBOX_PORT, SANDBOX_VARIABLE } from "./sandbox-port.ts";
export { CommandError } from "./command-error.ts";
export { shellWord } from "../shell-text.ts";
export { camelCase } from "./command.ts";
export { shownPath } from "./shown-path.ts";
export type {
  CommandArgument,
  CommandExample,
  CommandInput,
  CommandOption,
  CommandOutput,
  SandboxCommand,
} from "./command.ts";
