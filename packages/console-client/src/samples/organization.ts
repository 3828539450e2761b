import type { Samples } from "@fieldmesh/http/internal";
import type { organization as rows } from "../organization.ts";
import { organization_id } from "./records.ts";

/** The examples of the endpoints of organization, in wire format. */
export const organization: Samples<typeof rows> = {
  list: {
    input: {},
    output: [{ dc_balance: 250_000, id: organization_id, name: "Northern Water Board" }],
  },
};
