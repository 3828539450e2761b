export { sandboxCommand, webhookCommands } from "./specs.ts";
export { type NamedServices, readNamedServices } from "./named-services.ts";
export { SANDBOX_PORT } from "./sandbox-port.ts";
export { CommandError } from "./command-error.ts";
export { type Lock, withLock } from "./with-lock.ts";
export { stateFile, type StateFile } from "./state-file.ts";
export { replaceFile } from "../server/replace-file.ts";
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
