export { sensitive, sensitiveFields, type Sensitivity } from "./registry.ts";
export { bigInteger, count, secret, secretInput } from "./codecs.ts";
export {
  firstOf,
  oneOrMany,
  openEnum,
  partial,
  record,
  type OpenEnum,
  type SchemaOf,
} from "./record.ts";
export { redact, scrub, type WhyHidden } from "./redact.ts";
export { createSecretCheck, type HoldsSecret } from "./secret-check.ts";
export { INVISIBLE } from "./decodings.ts";
export { isFieldName } from "./redact.ts";
export { asLists, decodeLeniently } from "./lenient.ts";
export { hideNamed, type HideContext } from "./hide-named.ts";
export { driftIssue, driftOf, guess, isDrift, type Drift } from "./drift.ts";
export { formOf, markOf, seen, shown } from "./shown.ts";
export { limited } from "./limited.ts";
export { contractOf, observed } from "./observed.ts";
export { compiled, countRecords } from "./compiled.ts";
export { isPlainObject, unwrap } from "./children.ts";
export { kindsOf } from "./declared.ts";
