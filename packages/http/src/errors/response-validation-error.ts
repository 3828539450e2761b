import { Secret } from "@fieldmesh/core";
import { CallError, type CallFacts } from "./call-error.ts";
import { sayProblems, type Problem } from "./problem.ts";

/**
 * The server said yes, but its response is not what the contract says.
 *
 * The call **was carried out** (`outcome` is `applied`), except where a web page came, which is not from the service: nobody
 * knows then (`outcome` is `unknown`). `problems` names the fields, never a value;
 * `body.reveal()` returns what came, for example to save the id of what was created.
 */
export class ResponseValidationError extends CallError {
  /** The HTTP status of the response. */
  readonly status: number;
  /** What does not fit. */
  readonly problems: readonly Problem[];
  /** The body of the response, hidden from every printer; empty when it was too large to read. */
  readonly body: Secret;

  static {
    this.prototype.name = "ResponseValidationError";
  }

  constructor(
    facts: CallFacts,
    init: {
      status: number;
      problems: readonly Problem[];
      body: string;
      advice?: string | undefined;
    },
  ) {
    super(
      facts,
      `received ${init.status} with a body that does not fit: ${sayProblems(init.problems)}.`,
      init.advice ??
        'The call was carried out. Report the drift, or create the client with validation: "warn".',
    );
    this.status = init.status;
    this.problems = init.problems;
    this.body = new Secret(init.body);
  }
}
