import * as z from "@fieldmesh/core/internal/zod";
import {
  eventData,
  guess,
  maybeNumber,
  maybeString,
  open,
  resource,
  sensitive,
} from "../fields.ts";
import { carries, stating } from "../statements.ts";

/** The screened person, with an email address and a phone number: personal data. */
export const FraudSubject = () =>
  sensitive(
    "personal",
    open({
      /** The email address. The spec does not name this field. */
      email: guess(z.optional(z.unknown())),
      /** The phone number. The spec does not name this field. */
      phone: guess(z.optional(z.unknown())),
    }),
  );

const evaluation = () => ({
  /** What to do with the request. The spec shows no value. */
  decision: maybeString(),
  /** The fraud score. The spec states no range. */
  score: maybeNumber(),
  /** The reasons for the decision. The spec shows no example. */
  reasons: guess(z.nullish(z.array(z.unknown()))),
  /** The mode of the screening. The spec shows no value. */
  mode: maybeString(),
  /** The screened person: personal data. */
  subject: guess(z.nullish(FraudSubject())),
});

/**
 * The outcome of a screening. The spec does not say whether these fields are in `data` or in `data.object`:
 * `fieldOf(event, "decision")` looks in both.
 */
export const FraudEvaluation = () => resource({ ...evaluation() });

/** The data of `fraud.evaluated`. */
export const FraudEvaluationData = () =>
  z.extend(eventData(guess(FraudEvaluation())), { ...evaluation() });

/** Fraud events, by type. */
export const FraudEvents = {
  /**
   * Fires when a signup, an account change or a `POST /v1/fraud/decisions` request is screened. It fires only for operators
   * with fraud screening enabled.
   *
   * The event carries the decision, score, reasons, mode and screened subject. The subject includes an email address and a
   * phone number: treat it as personal data.
   */
  "fraud.evaluated": () =>
    stating(FraudEvaluationData(), carries("decision", "score", "reasons", "mode", "subject")),
};
