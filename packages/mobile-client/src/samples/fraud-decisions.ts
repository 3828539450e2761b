import type { Samples } from "@fieldmesh/http/internal";
import type { fraudDecisions as rows } from "../fraud-decisions.ts";

/** The examples of the endpoints of fraud decisions, in wire format. */
export const fraudDecisions: Samples<typeof rows> = {
  create: {
    input: { subject: { email: "ada@example.com" } },
    output: { decision: "allow", score: 0.1, reasons: [], mode: "monitor" },
  },
};
