export { sandboxCommand, webhookCommands } from "./specs.ts";
export { type NamedServices, readNamedServices } from "./named-services.ts";
export { SANDBOX_PORT } from "./sandbox-port.ts";
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
