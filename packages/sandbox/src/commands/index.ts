export { sandboxCommand, webhookCommands } from "./specs.ts";
export { CommandError } from "./command-error.ts";
export { withLock } from "./with-lock.ts";
export { isSharedFile, sharedFileWarning } from "./is-shared-file.ts";
export type {
  CommandArgument,
  CommandContext,
  CommandExample,
  CommandInput,
  CommandOption,
  CommandOutput,
  RunCommand,
  SandboxCommand,
} from "./command.ts";
