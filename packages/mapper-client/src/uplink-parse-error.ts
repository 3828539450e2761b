import { FieldmeshError } from "@fieldmesh/core";
import type { Problem } from "@fieldmesh/http";

/** Thrown for a body that is not a standard uplink of the console. It names fields and rules, never a value. */
export class UplinkParseError extends FieldmeshError {
  protected static override readonly errorName: string = "UplinkParseError";

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
