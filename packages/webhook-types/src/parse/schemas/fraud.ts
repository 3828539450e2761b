import * as z from "zod/mini";
import type { FraudEvents } from "../../catalog/fraud.ts";
import { data, open, resource, sensitive, type Rows } from "./fields.ts";

const evaluation = () =>
  resource({
    decision: z.string(),
    score: z.number(),
    reasons: z.array(z.unknown()),
    mode: z.string(),
    subject: sensitive("personal", open({})),
  });

export const fraudRows = {
  "fraud.evaluated": () => data(evaluation()),
} satisfies Rows<FraudEvents>;
