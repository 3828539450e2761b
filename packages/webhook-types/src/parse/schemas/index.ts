import type { EventMap } from "../../catalog/event-map.ts";
import type { Rows } from "./fields.ts";
import {
  invoiceRows,
  paymentRows,
  paymentMethodRows,
  balanceRows,
  discountRows,
} from "./billing.ts";
import { carrierConnectionRows, paymentConnectionRows } from "./connection.ts";
import { cpniRows } from "./cpni.ts";
import { disputeRows } from "./dispute.ts";
import { fraudRows } from "./fraud.ts";
import { planRows, addonRows } from "./plan.ts";
import { portRows, portOutRows } from "./port.ts";
import { psimOrderRows } from "./psim-order.ts";
import { referralRows } from "./referral.ts";
import { simRows } from "./sim.ts";
import { simInventoryRows } from "./sim-inventory.ts";
import { smsRows } from "./sms.ts";
import { subscriberRows, addressRows } from "./subscriber.ts";
import { subscriptionRows } from "./subscription.ts";
import { usageRows } from "./usage.ts";
import { webhookEndpointRows, eventRows } from "./webhook-endpoint.ts";

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
