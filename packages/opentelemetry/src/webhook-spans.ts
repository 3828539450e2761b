import type { DeliveryMessage, HandlerMessage, StoreMessage } from "@fieldmesh/core";
import { SpanKind, type Meter } from "@opentelemetry/api";
import { SECONDS } from "./seconds.ts";
import type { SpanOf } from "./span-of.ts";

const PROCESS = {
  "messaging.system": "fieldmesh",
  "messaging.destination.name": "webhooks",
  "messaging.operation.name": "process",
};

/** Creates the consumer span of the messaging conventions. */
export function deliverySpan(meter: Meter): SpanOf<DeliveryMessage> {
  const duration = meter.createHistogram("messaging.process.duration", {
    description: "Duration of processing operation.",
    ...SECONDS,
  });
  const consumed = meter.createCounter("messaging.client.consumed.messages", {
    description: "Number of messages that were delivered to the application.",
    unit: "{message}",
  });
  return {
    channel: "fieldmesh:delivery",
    kind: SpanKind.CONSUMER,
    name: () => "process webhooks",
    atStart: () => ({ ...PROCESS, "messaging.operation.type": "process" }),
    atEnd: ({ outcome, reason, event }) => ({
      "fieldmesh.delivery.outcome": outcome,
      "fieldmesh.delivery.reason": reason,
      "messaging.message.id": event?.id,
      "fieldmesh.event.type": event?.type,
    }),
    errorType: ({ outcome, status = 0 }) =>
      status >= 400 && outcome !== "in_progress" ? outcome : undefined,
    record(_message, { seconds, errorType, context }) {
      const attributes = { ...PROCESS, "error.type": errorType };
      duration.record(seconds, attributes, context);
      consumed.add(1, attributes, context);
    },
  };
}

export const handlerSpan: SpanOf<HandlerMessage> = {
  channel: "fieldmesh:handler",
  kind: SpanKind.INTERNAL,
  name: ({ event }) => `handle ${event.type}`,
  atStart: ({ event }) => ({
    "fieldmesh.event.type": event.type,
    "messaging.message.id": event.id,
  }),
};

export const storeSpan: SpanOf<StoreMessage> = {
  channel: "fieldmesh:store",
  kind: SpanKind.INTERNAL,
  name: ({ operation }) => `store ${operation}`,
  atStart: ({ operation }) => ({ "fieldmesh.store.operation": operation }),
};
