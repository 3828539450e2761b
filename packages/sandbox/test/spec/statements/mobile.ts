import { expect } from "vitest";
import { list, states, succeeds, text, type Statement } from "./statement.ts";

const get = (path: string) => `GET /mobile/${path}\nauthorization: Bearer {bearer}`;
const send = (path: string, body: object) =>
  `POST /mobile/${path}\nauthorization: Bearer {bearer}\ncontent-type: application/json\n\n${JSON.stringify(body)}`;
const remove = (path: string) => `DELETE /mobile/${path}\nauthorization: Bearer {bearer}`;
const hosted = { mobile: { deployment: "hosted" } } as const;
const invalid = { code: "validation_failed", errors: list, status: 422, title: text, type: text };

export const mobileStatements: readonly Statement[] = [
  succeeds(
    "the event types, which are valid in enabled_events, are listed",
    get("v1/reference/event_types"),
    expect.arrayContaining([{ type: "sim.activated" }]),
  ),
  states(
    "a subscriber is created",
    send("v1/subscribers", { email: "ada@example.com", name: "Ada" }),
    201,
    expect.objectContaining({ id: text }),
  ),
  states(
    "a subscriber may have a phone number only",
    send("v1/subscribers", { phone: "+12025550143" }),
    201,
    expect.objectContaining({ phone: "+12025550143" }),
  ),
  succeeds(
    "a subscriber is read",
    get("v1/subscribers/{subscriber}"),
    expect.objectContaining({
      id: "{subscriber}",
      email: "ada@example.com",
      locked_status: "unlocked",
    }),
  ),
  succeeds(
    "the role of a key may not see personal data",
    "GET /mobile/v1/subscribers/{subscriber}\nauthorization: Bearer {reader}",
    expect.objectContaining({ email: null, name: null }),
  ),
  succeeds(
    "a subscriber without billing history is deleted",
    remove("v1/subscribers/{subscriber}"),
    { id: "{subscriber}" },
  ),
  states(
    "a subscriber with billing history is not",
    remove("v1/subscribers/{billed}"),
    422,
    expect.objectContaining({ code: "subscriber_has_billing_history" }),
  ),
  states(
    "a solo subscription is created",
    send("v1/subscriptions", { subscriber_id: "{subscriber}", plan_id: "plan_1" }),
    201,
    expect.objectContaining({ status: "pending_activation" }),
  ),
  states(
    "a group subscription has no plan",
    send("v1/subscriptions", { subscriber_id: "{subscriber}", lines: [] }),
    201,
    expect.objectContaining({ id: text }),
  ),
  succeeds(
    "the next renewal is read on demand",
    get("v1/subscriptions/{subscription}/renewal"),
    expect.objectContaining({ subscription_id: "{subscription}" }),
  ),
  states(
    "a positive credit (balance_credits) is issued",
    send("v1/subscribers/{subscriber}/balance_credits", { amount_cents: 500 }),
    201,
    expect.objectContaining({ amount_cents: 500 }),
  ),
  states(
    "a credit of 0 is not",
    send("v1/subscribers/{subscriber}/balance_credits", { amount_cents: 0 }),
    422,
    invalid,
  ),
  succeeds(
    "a request is screened",
    send("v1/fraud/decisions", { subject: { email: "x" } }),
    expect.objectContaining({ decision: text }),
  ),
  // The switches, the other way.
  states(
    "a hosted deployment requires an email and a name",
    send("v1/subscribers", { phone: "+12025550143" }),
    422,
    invalid,
    hosted,
  ),
  states(
    "a hosted deployment requires a plan",
    send("v1/subscriptions", { subscriber_id: "{subscriber}" }),
    422,
    invalid,
    hosted,
  ),
];
