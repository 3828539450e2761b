import { FieldmeshError, isFieldmeshError } from "@fieldmesh/core";
import type { Problem } from "@fieldmesh/http";

/** Thrown for a body that is not a standard uplink of the console. It names fields and rules, never a value. */
export class UplinkParseError extends FieldmeshError {
  static {
    this.prototype.name = "UplinkParseError";
  }

  readonly problems: readonly Problem[];

  constructor(problems: readonly Problem[]) {
    const list = problems.map(({ path, message }) =>
      path === "" ? message : `${path}: ${message}`,
    );
    super(
      `Not a standard uplink of the console: ${list.join("; ")}. Check that the integration has no body template.`,
    );
    this.problems = problems;
  }
}

/** Tells whether parsing failed because a body was not a standard uplink. */
export function isUplinkParseError(value: unknown): value is UplinkParseError {
  return isFieldmeshError(value, "UplinkParseError");
}
