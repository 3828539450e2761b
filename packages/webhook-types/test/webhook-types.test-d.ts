import { expectTypeOf, test } from "vitest";
import * as z from "zod";
import type { Secret } from "@fieldmesh/core";
import {
  fieldOf,
  isKnownEvent,
  type currentEventTypes,
  type EarlierEventType,
  type EventMap,
  type EventType,
  type UnknownEvent,
  type WebhookEvent,
} from "../src/index.ts";
import { createEventParser, parseEvent, type ParsedMap } from "../src/parse/index.ts";
import { createEventRouter, type EventHandlers } from "../src/router/index.ts";
import { sampleEvent } from "../src/samples.ts";
import type { dataSchemas } from "../src/events/generated/data-schemas.ts";

test("isKnownEvent narrows events, and their type discriminates them", () => {
  const event = parseEvent("");
  expectTypeOf(event).toEqualTypeOf<WebhookEvent | UnknownEvent>();
  if (!isKnownEvent(event)) return expectTypeOf(event).toEqualTypeOf<UnknownEvent>();
  expectTypeOf(event).toEqualTypeOf<WebhookEvent>();
  if (event.type === "sim.activated") {
    expectTypeOf(event).toEqualTypeOf<WebhookEvent<"sim.activated">>();
    expectTypeOf(event.data.object.activation_code).toEqualTypeOf<Secret | null | undefined>();
    expectTypeOf(fieldOf(event, "iccid")).toEqualTypeOf<unknown>();
  }
});

test("patterns match a type, a family or all types", () => {
  expectTypeOf<WebhookEvent<"sms.received">>().toEqualTypeOf<EventMap["sms.received"]>();
  expectTypeOf<WebhookEvent<"subscription.line.removal_scheduled">["type"]>().toExtend<
    WebhookEvent<"subscription.*">["type"]
  >();
  expectTypeOf<WebhookEvent<"dispute.*">["type"]>().toEqualTypeOf<
    "dispute.opened" | "dispute.updated" | "dispute.closed"
  >();
  expectTypeOf<Extract<WebhookEvent<"sim.*">["type"], `sim_inventory.${string}`>>().toBeNever();
  expectTypeOf<(typeof currentEventTypes)[number] | EarlierEventType>().toEqualTypeOf<EventType>();
  expectTypeOf<WebhookEvent<"cpni.escalation.*">["type"]>().toEqualTypeOf<
    "cpni.escalation.requested" | "cpni.escalation.approved" | "cpni.escalation.denied"
  >();
  createEventRouter({
    "cpni.verification.*": (event) =>
      expectTypeOf(event).toEqualTypeOf<WebhookEvent<"cpni.verification.*">>(),
  });
  // @ts-expect-error -- a pattern that matches nothing
  expectTypeOf<WebhookEvent<"simm.*">>();
});

test("the types of the schemas and the interfaces extend each other", () => {
  type Made = { [Type in EventType]: z.output<ReturnType<(typeof dataSchemas)[Type]>> };
  type Written = { [Type in EventType]: EventMap[Type]["data"] };
  expectTypeOf<Made>().toExtend<Written>();
  expectTypeOf<Written>().toExtend<Declared<Made>>();
});

/** Without the index signatures of schemas that accept further fields. */
type Declared<Made> = Made extends { reveal(): unknown } | readonly unknown[]
  ? Made
  : Made extends object
    ? { [Name in keyof Made as string extends Name ? never : Name]: Declared<Made[Name]> }
    : Made;

test("a misspelled field of an event's object does not compile, and fieldOf reads any name", () => {
  const event = sampleEvent("sim.activated");
  const { object } = event.data;
  expectTypeOf(object.subscriber_id).toEqualTypeOf<string | null | undefined>();
  // @ts-expect-error -- subscriber_id
  void object.subscriberId;
  expectTypeOf(fieldOf(event, "subscriber_id")).toEqualTypeOf<string | null | undefined>();
  expectTypeOf(fieldOf(event, "subscriberId")).toEqualTypeOf<unknown>();
  expectTypeOf(fieldOf(event, "previous_attributes")).toEqualTypeOf<
    { [field: string]: unknown } | undefined
  >();
  expectTypeOf(fieldOf(sampleEvent("subscription.line_removed"), "reason")).toEqualTypeOf<
    WebhookEvent<"subscription.line_removed">["data"]["reason"]
  >();
  const any = parseEvent("");
  expectTypeOf(fieldOf(any, "id")).toEqualTypeOf<unknown>();
  const name: string = "id";
  expectTypeOf(fieldOf(event, name)).toEqualTypeOf<unknown>();
  // The spec names no field of a plan, so its fields may have any name.
  expectTypeOf(sampleEvent("plan.created").data.object["price"]).toEqualTypeOf<unknown>();
  // @ts-expect-error -- an override that no handler would read
  sampleEvent("sim.activated", { data: { object: { subscriberId: "sub_1" } } });
});

test("data and previous_attributes are typed for each event", () => {
  expectTypeOf<
    WebhookEvent<"sim.cleared">["data"]["previous_attributes"]["msisdn"]
  >().toEqualTypeOf<string | null>();
  expectTypeOf<WebhookEvent<"sim.synced">["data"]["previous_attributes"]>().toEqualTypeOf<
    { [field: string]: unknown } | undefined
  >();
  expectTypeOf<
    WebhookEvent<"subscription.scheduled_change_failed">["data"]["scheduled_change"]["reason"]
  >().toEqualTypeOf<string>();
  expectTypeOf<WebhookEvent<"subscriber.created">["data"]["imported"]>().toEqualTypeOf<
    boolean | undefined
  >();
  expectTypeOf<
    WebhookEvent<"subscriber.created">["data"]["object"]["date_of_birth"]
  >().toEqualTypeOf<null>();
  expectTypeOf<
    WebhookEvent<"cpni.verification.requested">["data"]["object"]["code"]
  >().toEqualTypeOf<Secret | undefined>();
  // A status is open: an editor completes it, and any string is accepted.
  expectTypeOf<string>().toExtend<
    WebhookEvent<"subscription.created">["data"]["object"]["status"]
  >();
});

test("each key of a router has its exact type", () => {
  createEventRouter({
    "sim.activated": (event) => expectTypeOf(event).toEqualTypeOf<WebhookEvent<"sim.activated">>(),
    "sim.*": (event) => expectTypeOf(event).toEqualTypeOf<WebhookEvent<"sim.*">>(),
    "subscription.*": async (event) =>
      expectTypeOf(event).toEqualTypeOf<WebhookEvent<"subscription.*">>(),
    "*": (event) => expectTypeOf(event).toEqualTypeOf<WebhookEvent | UnknownEvent>(),
    otherwise: (event) => expectTypeOf(event).toEqualTypeOf<WebhookEvent | UnknownEvent>(),
  });
  // @ts-expect-error -- no such type
  createEventRouter({ "sim.activatd": () => undefined });
  const computed: Record<string, () => void> = {};
  createEventRouter(computed);
  expectTypeOf<EventHandlers["sim.*"]>().not.toBeAny();
});

test("the caller's own schema types data.object, in the parser and in its router", () => {
  const schemas = { "plan.created": z.object({ price_cents: z.int() }) };
  const parse = createEventParser(schemas);
  const event = parse("");
  if (isKnownEvent(event) && event.type === "plan.created")
    expectTypeOf(event.data.object).toEqualTypeOf<{ price_cents: number }>();
  const router = createEventRouter<ParsedMap<typeof schemas>>({
    "plan.created": ({ data }) =>
      expectTypeOf(data.object).toEqualTypeOf<{ price_cents: number }>(),
    "plan.updated": (each) => expectTypeOf(each).toEqualTypeOf<WebhookEvent<"plan.updated">>(),
  });
  void router.dispatch(event);
  expectTypeOf(router.handles).toEqualTypeOf<(type: string) => boolean>();
});

test("overrides of a sample are typed", () => {
  expectTypeOf(sampleEvent("invoice.paid", { livemode: true })).toEqualTypeOf<
    WebhookEvent<"invoice.paid">
  >();
  // @ts-expect-error -- not a boolean
  sampleEvent("invoice.paid", { livemode: "yes" });
});
