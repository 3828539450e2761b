import * as z from "zod/mini";
import {
  eventData,
  guess,
  maybeNumber,
  maybeString,
  open,
  resource,
  sensitive,
} from "../fields.ts";

/** The screened person, with an e-mail address and a phone number: personal data. */
export const FraudSubject = () =>
  sensitive(
    "personal",
    open({
      /** Under this name (observed). */
      email: guess(z.optional(z.unknown())),
      /** Under this name (observed). */
      phone: guess(z.optional(z.unknown())),
    }),
  );

const evaluation = () => ({
  /** What to do with the request. The spec shows no value. */
  decision: maybeString(),
  /** The fraud score. The spec states no range. */
  score: maybeNumber(),
  /** The reasons. The spec shows no example. */
  reasons: guess(z.nullish(z.array(z.unknown()))),
  /** The mode of the screening. The spec shows no value. */
  mode: maybeString(),
  /** The screened person: personal data. */
  subject: guess(z.nullish(FraudSubject())),
});

/**
 * The spec does not say whether these fields are in the object or next to it: `fieldOf(event, "decision")` looks in both
 * places.
 */
export const FraudEvaluation = () => resource({ ...evaluation() });

/** The data of `fraud.evaluated`. */
export const FraudEvaluationData = () =>
  z.extend(eventData(guess(FraudEvaluation())), { ...evaluation() });

/** Fraud events, by type. */
export const FraudEvents = {
  /**
   * Fires when a signup, account change or `POST /v1/fraud/decisions` request was screened; only
   * for operators with fraud screening enabled; carries decision, score, reasons, mode and the
   * screened subject (includes e-mail address and phone number: treat as personal data).
   */
  "fraud.evaluated": () => FraudEvaluationData(),
};
