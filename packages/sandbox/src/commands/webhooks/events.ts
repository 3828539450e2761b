import { currentEventTypes } from "@fieldmesh/webhook-types";
import { redactEvent } from "@fieldmesh/webhook-types/parse";
import type { StoredEvent } from "../../engine/webhooks/event-copies.ts";
import type { RunCommand } from "../command.ts";
import { findSandbox, readDeliveries, readList } from "./controls.ts";
import { deliveryRecord, describeDelivery, printable } from "./describe-delivery.ts";

export const run: RunCommand = async (context, input) => {
  const { output } = context;
  if (input.options["types"] === true)
    return output.records(
      currentEventTypes.map((type) => ({ type })),
      ["type"],
    );
  const { call } = findSandbox(context, input);
  const events = readList(await call("GET", "/webhooks/events")) as unknown as StoredEvent[];
  const deliveries = readDeliveries(await call("GET", "/webhooks/deliveries"));
  if (events.length === 0) output.note("The sandbox has no events yet. `trigger` creates one.");
  for (const event of events) {
    const own = deliveries.filter(({ event_id }) => event_id === event.id);
    if (output.isJson) {
      await output.records([
        { ...(redactEvent(event) as object), deliveries: own.map(deliveryRecord) },
      ]);
      continue;
    }
    await output.line(printable(`${event.created_at}  ${event.type}  ${event.id}`));
    for (const delivery of own) await output.line(`  ${describeDelivery(delivery)}`);
  }
};
