const ADDRESS = "stands for a base URL: every client has its own baseUrl option";
const OBJECT = "the kind of an object, in the words of the contract";
const OPERATOR = "a setting of the operator or of a plan, which no endpoint or event carries";
const EARLIER = "an event type without its family, as the earlier catalog shortens it";

/** Names in the contract that no row of the tables has, each with a reason. */
export const elsewhere: Readonly<Record<string, string>> = {
  base_url: ADDRESS,
  ledger_url: ADDRESS,
  mappers_url: ADDRESS,
  key: "the header with the API key, which the client adds to each request",
  invoice: OBJECT,
  sim: OBJECT,
  sim_inventory: OBJECT,
  cpni_verification: OBJECT,
  inbound_message: OBJECT,
  enabled_events:
    "a field of a webhook endpoint, for which the contract has no paths: validateEnabledEvents",
  user_initiated_lock: "a value of locked_status; values of status fields are open",
  port_out: "a value of reason; values of status fields are open",
  past_due: "a status that the subscription leaves; the event names the status it has now",
  balance_credits: "part of a path, which the mobile tables have",
  renewal_reminder_lead_days: OPERATOR,
  renewal_reminder_lead_days_annual: OPERATOR,
  video_step_down_after_mb: OPERATOR,
  activation_failed: EARLIER,
  plan_switched: EARLIER,
};
