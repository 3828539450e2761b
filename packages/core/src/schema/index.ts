export { sensitive, sensitiveFields, type Sensitivity } from "./registry.js";
export { bigInteger, secret, secretInput } from "./codecs.js";
export { firstOf, oneOrMany, openEnum, record, type OpenEnum } from "./record.js";
export { redact, scrub } from "./redact.js";
export { decodeLeniently } from "./lenient.js";
export { compileAnswer } from "./compile-answer.js";
export { compileCheck } from "./compile-check.js";
