// @generated from the schema files by `npm run generate -- events`. Do not edit.
import type { SecretFieldMap } from "./interfaces.ts";

/**
 * The names of the secret fields, by event type. A stored event has none of them.
 *
 * @example
 * ```ts
 * secretFields["sim.activated"]; // ["activation_code"]
 * ```
 */
export const secretFields: {
  readonly [Type in keyof SecretFieldMap]: readonly SecretFieldMap[Type][];
} = {
  "cpni.verification.requested": ["code"],
  "sim.provisioned": ["activation_code"],
  "sim.activated": ["activation_code"],
  "sim.swapped": ["activation_code"],
};
