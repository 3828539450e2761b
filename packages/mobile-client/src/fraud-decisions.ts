import * as z from "@fieldmesh/core/internal/zod";
import { sensitive, type SchemaOf } from "@fieldmesh/core/internal/schema";
import { endpoint, type Methods } from "@fieldmesh/http/internal";
import { inFlight, openBody, privateRecord, unchecked, usualErrors } from "./fields.ts";

const requestFields = openBody({
  /** Who or what is screened. `fraud.evaluated` has the same field. Personal data, which is never logged. */
  subject: z.optional(unchecked<Record<string, unknown>>()),
});

/** The input for a screening. The published spec lists no field of the request: all fields are sent, and none is checked. */
export interface FraudRequest extends z.output<typeof requestFields> {}

const decisionFields = privateRecord({
  /** What to do with the request. The spec shows no value. */
  decision: z.nullish(z.string()),
  /** The fraud score. The spec states no range. */
  score: z.nullish(z.number()),
  /** The reasons for the decision. The spec shows no example. */
  reasons: z.nullish(z.array(z.unknown())),
  /** The mode of the screening. The spec shows no value. */
  mode: z.nullish(z.string()),
  /** Who or what was screened: personal data. */
  subject: z.nullish(sensitive("personal", z.record(z.string(), z.unknown()))),
});

/** The outcome of a screening. Its fields are those of `fraud.evaluated`. */
export interface FraudDecision extends z.output<typeof decisionFields> {}

const FraudRequest: SchemaOf<FraudRequest, typeof requestFields> = requestFields;
const FraudDecision: SchemaOf<FraudDecision, typeof decisionFields> = decisionFields;

/** The endpoints of fraud decisions, one row for each. The client makes the methods of `client.fraudDecisions` from them. */
export const fraudDecisions = {
  /**
   * Screen a request. Emits `fraud.evaluated` if screening is switched on for the operator.
   *
   * After a timeout, a lost connection or a 5xx, the client retries only with its option `trustIdempotencyKeys`. The published
   * spec does not describe the response: the output is the decision (observed), or `undefined` if the response has none.
   *
   * @throws An {@link ApiError} with 400, 401, 403, 409 or 422 (observed). Its message explains the status
   * @throws A {@link CallError} for every other failure
   * @example
   * ```ts
   * const { decision, score } = (await client.fraudDecisions.create({ subject: { email: "ada@example.com" } })) ?? {};
   * ```
   */
  create: endpoint("POST /v1/fraud/decisions", {
    body: FraudRequest,
    result: FraudDecision,
    open: "optional",
    idempotencyKey: true,
    errors: { ...usualErrors, ...inFlight },
  }),
};

/** Fraud screening of requests. */
export interface FraudDecisions extends Methods<typeof fraudDecisions> {}
