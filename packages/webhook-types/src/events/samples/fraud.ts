import type { FraudEvents } from "../generated/interfaces.ts";
import type { Samples } from "../samples.ts";

export const fraudSamples: Samples<FraudEvents> = {
  "fraud.evaluated": {
    object: {
      decision: "review",
      score: 62,
      reasons: ["email_recently_created"],
      mode: "enforce",
      subject: { email: "ada@example.com", phone: "+12025550143" },
    },
  },
};
