import type { SmsEvents } from "../generated/interfaces.ts";
import type { Samples } from "../samples.ts";

export const smsSamples: Samples<SmsEvents> = {
  "sms.received": { object: { id: "msg_01JD3YW5W6" } },
};
