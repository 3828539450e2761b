import type { SmsEvents } from "../../catalog/sms.js";
import { data, resource, sensitive, type Rows } from "./fields.js";

/** Who wrote, and what: the spec does not show the fields. */
const inboundMessage = () => sensitive("personal", resource({}));

export const smsRows = {
  "sms.received": () => data(inboundMessage()),
} satisfies Rows<SmsEvents>;
