// What only our own packages need: not covered by semver. Do not import it, because any release may change it.
export * from "./index.ts";

export { describeNumber, describeValue } from "./describe-value.ts";
export { findSettingMistake } from "./mistake.ts";
export {
  addChunk,
  concatBytes,
  openBody,
  readBytes,
  readInTime,
  type BodyReader,
} from "./read-bytes.ts";
export { isRecord, readRecord, recordOf, type AnyRecord } from "./record.ts";
export { isBuffer, isBytes, isDate, isError, isPromise, isUrl, signalOf } from "./realm.ts";
export { dateOfStamp, ifDate, millisecondsOf, readStamp, timeOfStamp } from "./stamp.ts";
export { revealText } from "./secret.ts";
export { shownAddresses } from "./shown-addresses.ts";
export { isSecretName, kindOfName, type NameContext, type NamedKind } from "./secret-names.ts";
export {
  decryptText,
  type EncryptionKeys,
  encryptText,
  newestKey,
  readKeys,
} from "./encrypt-text.ts";
export { deriveIdKey, isUuid, makeId } from "./secret-id.ts";
export { equalText } from "./equal-text.ts";
export { nearest } from "./nearest.ts";
export { isOurs, mistake, mustBe, readInput, requires, UNREADABLE } from "./mistake.ts";
export * from "./options.ts";
export * from "./checks.ts";
export { hasMethod, isIterable, memberOf } from "./record.ts";
export { hashText } from "./hash.ts";
export { toHex } from "./hex.ts";
export { hideAdded } from "./hide-added.ts";
export { fingerprint, hashJson, isIntact, withChecksum } from "./hash.ts";
export { digestOf } from "./hex.ts";
export { ENDED } from "./within.ts";
export * from "./checkpoint.ts";
export { isLoopback } from "./shown-addresses.ts";
export { firstProblems, MAX_PROBLEMS, sayMore } from "./first-problems.ts";
export { getOrInsertComputed } from "./get-or-insert-computed.ts";
export { hasPassed, monotonicClock, steadyClock } from "./clock.ts";
export { keepLease, type KeptLease } from "./lease.ts";
export { isTooDeep, TOO_DEEP } from "./is-deeper.ts";
export { checkPromise } from "./runtime.ts";
export { notify } from "./notify.ts";
export { onceAMinute, printOnceAMinute } from "./once-a-minute.ts";
export { watchFor, within } from "./within.ts";
export { checkValidation, defaultValidation } from "./validation.ts";
export { trace, type Traced } from "./telemetry/trace.ts";
export * from "./telemetry/channels.ts";
export type { Channel } from "./telemetry/open-channel.ts";
export type { SchemaIssue, SchemaResult } from "./standard-schema.ts";
