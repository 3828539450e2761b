import type { FraudEvents } from "../catalog/fraud.js";
import type { Samples } from "./samples.js";

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
