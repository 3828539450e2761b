import type { EventType } from "@fieldmesh/webhook-types";
import type { Webhooks } from "./webhooks.ts";

declare const webhooks: Webhooks;
declare const known: EventType;
declare const anything: string;

void webhooks.trigger("sim.activated");
void webhooks.trigger("sim.activated", { data: { object: { id: "sim_1" } } });
void webhooks.trigger(known);
void webhooks.trigger("sim.teleported", { data: {} }, { unknown: true });
void webhooks.trigger(anything, {}, { unknown: true });
webhooks.emit("sim.activated", {}, { livemode: true });
webhooks.emit(anything, {}, { unknown: true, livemode: true });

// @ts-expect-error A misspelled type.
void webhooks.trigger("sim.activatd");
// @ts-expect-error A misspelled type with data.
void webhooks.trigger("sim.activatd", { data: {} });
// @ts-expect-error A string may be any type.
void webhooks.trigger(anything);
// @ts-expect-error It is not allowed by false.
void webhooks.trigger("sim.activatd", {}, { unknown: false });
// @ts-expect-error A field of the wrong type.
void webhooks.trigger("sim.activated", { data: { object: { id: 7 } } });
// @ts-expect-error A misspelled type.
webhooks.emit("sim.activatd", {});
// @ts-expect-error A misspelled type with other options.
webhooks.emit("sim.activatd", {}, { livemode: true });
