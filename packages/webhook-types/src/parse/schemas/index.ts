import type { EventMap } from "../../catalog/event-map.js";
import type { Rows } from "./fields.js";
import {
  invoiceRows,
  paymentRows,
  paymentMethodRows,
  balanceRows,
  discountRows,
} from "./billing.js";
import { carrierConnectionRows, paymentConnectionRows } from "./connection.js";
import { cpniRows } from "./cpni.js";
import { disputeRows } from "./dispute.js";
import { fraudRows } from "./fraud.js";
import { planRows, addonRows } from "./plan.js";
import { portRows, portOutRows } from "./port.js";
import { psimOrderRows } from "./psim-order.js";
import { referralRows } from "./referral.js";
import { simRows } from "./sim.js";
import { simInventoryRows } from "./sim-inventory.js";
import { smsRows } from "./sms.js";
import { subscriberRows, addressRows } from "./subscriber.js";
import { subscriptionRows } from "./subscription.js";
import { usageRows } from "./usage.js";
import { webhookEndpointRows, eventRows } from "./webhook-endpoint.js";

/** The rows of all families. */
export const dataRows = {
  ...subscriberRows,
  ...addressRows,
  ...subscriptionRows,
  ...simRows,
  ...simInventoryRows,
  ...portRows,
  ...planRows,
  ...addonRows,
  ...usageRows,
  ...invoiceRows,
  ...paymentRows,
  ...paymentMethodRows,
  ...balanceRows,
  ...discountRows,
  ...disputeRows,
  ...psimOrderRows,
  ...smsRows,
  ...cpniRows,
  ...referralRows,
  ...carrierConnectionRows,
  ...paymentConnectionRows,
  ...fraudRows,
  ...webhookEndpointRows,
  ...portOutRows,
  ...eventRows,
} satisfies Rows<EventMap>;
