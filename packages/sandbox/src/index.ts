// Three layers: the engine responds to requests in any runtime, the server listens on a port with Node, and the commands (./commands) run it.
export * from "./engine/index.ts";

export { startSandbox, type RunningSandbox, type StartOptions } from "./server/start-sandbox.ts";
export { readSnapshot, saveSnapshot } from "./server/snapshot-file.ts";
export {
  toNodeListener,
  type NodeHandler,
  type NodeListenerOptions,
} from "./server/node-listener.ts";

// For programs that keep the state of a run in a file.
export { withLock, type Lock } from "./commands/with-lock.ts";
export { stateFile, type StateFile } from "./commands/state-file.ts";
export { CommandError } from "./commands/command-error.ts";
