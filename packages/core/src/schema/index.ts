export { sensitive, sensitiveFields, type Sensitivity } from "./registry.ts";
export { bigInteger, secret, secretInput } from "./codecs.ts";
export { firstOf, oneOrMany, openEnum, record, type OpenEnum, type SchemaOf } from "./record.ts";
export { redact, scrub } from "./redact.ts";
export { decodeLeniently, hideMovedSecrets, hideSecrets } from "./lenient.ts";
export { guess, isGuess } from "./guess.ts";
export { limited } from "./limited.ts";
export { contractOf, observed } from "./observed.ts";
export { compileSchema } from "./compile-schema.ts";
