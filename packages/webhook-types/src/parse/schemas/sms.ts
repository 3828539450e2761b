import type { SmsEvents } from "../../catalog/sms.ts";
import { data, resource, sensitive, type Rows } from "./fields.ts";

/** Who wrote, and what: the spec does not show the fields. */
const inboundMessage = () => sensitive("personal", resource({}));

export const smsRows = {
  "sms.received": () => data(inboundMessage()),
} satisfies Rows<SmsEvents>;
