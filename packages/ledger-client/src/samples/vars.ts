import type { Samples } from "@fieldmesh/http/internal";
import type { vars as rows } from "../vars.ts";
import { transactionHash } from "./records.ts";

/** The examples of the endpoints of vars, in wire format. */
export const vars: Samples<typeof rows> = {
  list: {
    input: {},
    output: {
      data: { monthly_reward: 500_000_000_000_000, poc_typo_fixes: true, regions: ["a"] },
    },
  },
  get: { input: { name: "monthly_reward" }, output: { data: 500_000_000_000_000 } },
  activity: {
    input: {},
    output: {
      data: [
        {
          type: "vars_v1",
          hash: transactionHash,
          height: 1_000_000,
          time: 1_763_625_540,
          fee: 0,
        },
      ],
    },
  },
};
