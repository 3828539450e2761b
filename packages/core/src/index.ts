export type { OpenEnum } from "./open-enum.ts";
export type { InferSchema, Schema, SchemaResult } from "./standard-schema.ts";
export { isSecret, revealText, Secret } from "./secret.ts";
export { FieldmeshError, isFieldmeshError } from "./error.ts";
export { JsonSyntaxError, parseJson, stringifyJson, type StringifyJsonOptions } from "./json.ts";
export { equalText } from "./equal-text.ts";
export { hashText } from "./hash.ts";
export { systemClock, type Clock } from "./clock.ts";
