import type { Samples } from "@fieldmesh/http/internal";
import type { balanceCredits as rows } from "../balance-credits.ts";

/** The examples of the endpoints of balance credits, in wire format. */
export const balanceCredits: Samples<typeof rows> = {
  create: {
    input: { id: "sub_01JD3Y7Q4W8TQ2", amount_cents: 500 },
    output: { id: "cred_01JD3YK4Z8" },
  },
};
