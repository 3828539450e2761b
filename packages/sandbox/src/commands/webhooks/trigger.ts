import { isRecord } from "@fieldmesh/core/internal";
import type { DeliveryRecord } from "../../engine/webhooks/delivery.ts";
import type { StoredEvent } from "../../engine/webhooks/event-copies.ts";
import type { RunCommand } from "../command.ts";
import { CommandError } from "../command-error.ts";
import { findSandbox, notASandbox, readDeliveries } from "./controls.ts";
import { deliveryRecord, describeDelivery } from "./describe-delivery.ts";
import { isKnown, readEvent } from "./make-event.ts";
import { printable } from "./printable.ts";

/** Makes a running sandbox emit an event to its webhook endpoints. */
export const run: RunCommand = async (context, input) => {
  const { output } = context;
  const { type, overrides } = readEvent(input);
  const { origin, call } = findSandbox(context, input);
  const { event, deliveries } = readTriggered(
    await call("POST", "/webhooks/trigger", { body: { ...overrides, type } }),
  );
  if (output.isJson)
    await output.record({
      id: event.id,
      type,
      sandbox: origin,
      deliveries: deliveries.map(deliveryRecord),
    });
  else {
    await output.line(printable(`${event.type}  ${event.id}`));
    for (const delivery of deliveries) await output.line(`  ${describeDelivery(delivery)}`);
  }
  if (!isKnown(type)) output.note("The type is not in the catalog of this version.");
  if (deliveries.length === 0)
    throw new CommandError(
      "No webhook endpoint receives this type. Register one, or use `listen`.",
    );
  if (deliveries.some(({ status }) => status !== "delivered"))
    throw new CommandError("Not every endpoint accepted the event. The sandbox retries.");
};

interface Triggered {
  readonly event: StoredEvent;
  readonly deliveries: readonly DeliveryRecord[];
}

function readTriggered(value: unknown): Triggered {
  if (!isRecord(value) || !isRecord(value["event"])) throw notASandbox();
  const event = value["event"] as unknown as StoredEvent;
  return { event, deliveries: readDeliveries(value["deliveries"]) };
}
