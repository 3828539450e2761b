import { isRecord } from "@fieldmesh/core/internal";
import type { StoredEvent } from "../../engine/webhooks/event-copies.ts";
import { isKnown } from "../../engine/webhooks/sampled-event.ts";
import type { RunCommand } from "../command.ts";
import { CommandError } from "../command-error.ts";
import { findSandbox, notASandbox, readDeliveries } from "./controls.ts";
import { deliveryRecord, describeDelivery, printable } from "./describe-delivery.ts";
import { readEvent } from "./make-event.ts";

export const run: RunCommand = async (context, input) => {
  const { output } = context;
  const { type, overrides } = readEvent(input);
  const { origin, call } = findSandbox(context, input);
  const more = input.options["unknown"] === true ? { unknown: true } : {};
  const body = { ...overrides, ...more, type };
  const triggered = await call("POST", "/webhooks/trigger", { body });
  if (!isRecord(triggered) || !isRecord(triggered["event"])) throw notASandbox();
  const event = triggered["event"] as unknown as StoredEvent;
  const deliveries = readDeliveries(triggered["deliveries"]);
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
