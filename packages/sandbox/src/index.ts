// Three layers: the engine responds to requests in any runtime, the server listens on a port with Node, and the commands (./commands) run it.
export * from "./engine/index.ts";

export { startSandbox, type RunningSandbox, type StartOptions } from "./server/start-sandbox.ts";
export { readSnapshot, saveSnapshot } from "./server/snapshot-file.ts";
export {
  toNodeListener,
  type NodeHandler,
  type NodeListenerOptions,
} from "./server/node-listener.ts";
