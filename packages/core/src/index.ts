export type { OpenEnum } from "./open-enum.js";
export type { InferSchema, Schema, SchemaResult } from "./standard-schema.js";
export { isSecret, revealText, Secret } from "./secret.js";
export { FieldmeshError, isFieldmeshError } from "./error.js";
export { JsonSyntaxError, parseJson, stringifyJson, type StringifyJsonOptions } from "./json.js";
export {
  toNodeListener,
  type NodeConnection,
  type NodeExchange,
  type NodeHandler,
  type NodeIncoming,
  type NodeListener,
  type NodeListenerOptions,
  type NodeOutgoing,
  type NodeSocket,
} from "./node-listener.js";
export { equalText } from "./equal-text.js";
export { hashText } from "./hash.js";
export { createVirtualClock, systemClock, type Clock, type VirtualClock } from "./clock.js";
