export type { OpenEnum } from "./open-enum.ts";
export type { InferSchema, Schema, SchemaResult } from "./standard-schema.ts";
export { isSecret, Secret } from "./secret.ts";
export { CheckpointError } from "./checkpoint-error.ts";
export { FieldmeshError, isFieldmeshError } from "./error.ts";
export { JsonSyntaxError, parseJson, stringifyJson, type StringifyJsonOptions } from "./json.ts";
export type { EncryptionKey } from "./encrypt-text.ts";
export { systemClock, type Clock } from "./clock.ts";
export { setDefaultValidation, type Validation } from "./validation.ts";
export {
  attemptChannel,
  callChannel,
  chunkChannel,
  deliveryChannel,
  enqueueChannel,
  handlerChannel,
  pageChannel,
  storeChannel,
} from "./telemetry/channels.ts";
export type * from "./telemetry/messages.ts";
export type { Channel } from "./telemetry/open-channel.ts";
