import type { EventOf, OpenRecord, Resource } from "./envelope.ts";

export interface FraudEvaluation extends Resource {
  decision: string;
  score: number;
  reasons: unknown[];
  mode: string;
  /** Who was screened, with e-mail address and phone number: personal data. */
  subject: OpenRecord;
}

/** Fraud events, by type. */
export interface FraudEvents {
  /**
   * Fires when a signup, account change or `POST /v1/fraud/decisions` request was screened; only
   * for operators with fraud screening enabled; carries decision, score, reasons, mode and the
   * screened subject (includes e-mail address and phone number: treat as personal data).
   */
  "fraud.evaluated": EventOf<"fraud.evaluated", FraudEvaluation>;
}
