import { FieldmeshError } from "@fieldmesh/core";
import type { Problem } from "@fieldmesh/http";

/** Thrown for a body that is not a standard uplink of the console. It names fields and rules, never a value. */
export class UplinkParseError extends FieldmeshError {
  protected static override readonly errorName: string = "UplinkParseError";

  readonly problems: readonly Problem[];

  /** `whole` is for a message whose form is known. */
  constructor(problems: readonly Problem[], whole?: string) {
    const list = problems.map(({ path, message }) =>
      path === "" ? message : `${path}: ${message}`,
    );
    super(
      whole ??
        `Not a standard uplink of the console: ${list.join("; ")}. Check that the integration has no body template.`,
    );
    this.problems = problems;
  }
}
