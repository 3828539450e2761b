import * as z from "zod/mini";
import { eventData, open, resource, sensitive } from "../fields.ts";

export const FraudEvaluation = () =>
  resource({
    decision: z.string(),
    score: z.number(),
    reasons: z.array(z.unknown()),
    mode: z.string(),
    /** Who was screened, with e-mail address and phone number: personal data. */
    subject: sensitive("personal", open({})),
  });

/** Fraud events, by type. */
export const FraudEvents = {
  /**
   * Fires when a signup, account change or `POST /v1/fraud/decisions` request was screened; only
   * for operators with fraud screening enabled; carries decision, score, reasons, mode and the
   * screened subject (includes e-mail address and phone number: treat as personal data).
   */
  "fraud.evaluated": () => eventData(FraudEvaluation()),
};
