import { Secret } from "@fieldmesh/core";
import { CallError, type CallContext } from "./call-error.ts";
import { sayProblems, type Problem } from "./problem.ts";

/**
 * Thrown when the body of a successful response contradicts the contract.
 *
 * The call **was carried out** (`outcome` is `applied`). The exception is a web page, which does not come from the service: then
 * `outcome` is `unknown`. `problems` names the fields, never a value. `body.reveal()` returns the body, for example to save the
 * id of the created record.
 */
export class ResponseValidationError extends CallError {
  /** The HTTP status of the response. */
  readonly status: number;
  /** The fields that do not fit. */
  readonly problems: readonly Problem[];
  /** The body of the response. Printing the error does not show it. Empty if the body was too large to read. */
  readonly body: Secret;

  protected static override readonly errorName: string = "ResponseValidationError";

  constructor(
    context: CallContext,
    init: {
      status: number;
      problems: readonly Problem[];
      body: string;
      advice?: string | undefined;
    },
  ) {
    super(
      context,
      `received ${init.status} with a body that does not fit: ${sayProblems(init.problems)}.`,
      init.advice ??
        'The call was carried out. Report the drift, or create the client with validation: "warn".',
    );
    this.status = init.status;
    this.problems = init.problems;
    this.body = new Secret(init.body);
  }
}
