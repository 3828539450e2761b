// What only our own packages need: not covered by semver. Do not import it, because any release may change it.
export * from "./index.ts";

export { describeNumber, describeValue } from "./describe-value.ts";
export { findSettingMistake } from "./setting-mistake.ts";
export { concatBytes, readBytes } from "./read-bytes.ts";
export { isRecord, readRecord, recordOf, type AnyRecord } from "./record.ts";
export { dateOfStamp } from "./stamp.ts";
export { revealText } from "./secret.ts";
export { checkEncryptionKey, decryptText, encryptText, isEncryptionKey } from "./encrypt-text.ts";
export { deriveIdKey, isUuid, makeId } from "./secret-id.ts";
export { equalText } from "./equal-text.ts";
export { nearest } from "./nearest.ts";
export { isOurs, mistake, mustBe, readInput, requires, UNREADABLE } from "./mistake.ts";
export {
  checkNames,
  options,
  type Check,
  type OptionTable,
  type ReadOptions,
  type RowCheck,
} from "./options.ts";
export {
  aFunction,
  anything,
  aSignal,
  aString,
  check,
  milliseconds,
  oneOf,
  trueOrFalse,
  wholeNumber,
  withMethods,
} from "./checks.ts";
export { hasMethod, isIterable, memberOf } from "./record.ts";
export { hashText } from "./hash.ts";
export { toHex } from "./hex.ts";
export { isIntact, withChecksum } from "./checksum.ts";
export {
  checkOwner,
  readCheckpoint,
  rejectedCheckpoint,
  type CheckpointOwner,
} from "./checkpoint.ts";
export { isLoopback } from "./loopback.ts";
export { firstProblems, MAX_PROBLEMS, sayMore } from "./first-problems.ts";
export { getOrInsertComputed } from "./get-or-insert-computed.ts";
export { monotonicClock, steadyClock } from "./clock.ts";
export { keepLease, type KeptLease } from "./lease.ts";
export { notify } from "./notify.ts";
export { within } from "./within.ts";
export { checkValidation, defaultValidation } from "./validation.ts";
export { trace, type Traced } from "./telemetry/trace.ts";
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
export type { Channel } from "./telemetry/open-channel.ts";
export type { SchemaResult } from "./standard-schema.ts";
