export type { OpenEnum } from "./open-enum.ts";
export type { InferSchema, Schema, SchemaResult } from "./standard-schema.ts";
export { isSecret, revealText, Secret } from "./secret.ts";
export { FieldmeshError, isFieldmeshError } from "./error.ts";
export { JsonSyntaxError, parseJson, stringifyJson, type StringifyJsonOptions } from "./json.ts";
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
} from "./node-listener.ts";
export { equalText } from "./equal-text.ts";
export { hashText } from "./hash.ts";
export { createVirtualClock, systemClock, type Clock, type VirtualClock } from "./clock.ts";
