import type {
  DeliveryMessage,
  EnqueueMessage,
  HandlerMessage,
  StoreMessage,
} from "@fieldmesh/core";
import { propagation, SpanKind, type Meter } from "@opentelemetry/api";
import { SECONDS, type SpanOf } from "./span-of.ts";

const PROCESS = { "messaging.system": "fieldmesh", "messaging.operation.name": "process" };
const SEND = { "messaging.system": "fieldmesh", "messaging.operation.name": "send" };
const JOBS = "webhook jobs";

/** A delivery that was put into a queue is a message of its own there. */
function destinationOf({ carrier }: DeliveryMessage): string {
  return carrier === undefined ? "webhooks" : JOBS;
}

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
    name: (message) => `process ${destinationOf(message)}`,
    // The trace of a job continues that of the delivery, in another process.
    parentOf: ({ carrier }, active) =>
      carrier === undefined ? active : propagation.extract(active, carrier),
    atStart: (message) => ({
      ...PROCESS,
      "messaging.destination.name": destinationOf(message),
      "messaging.operation.type": "process",
    }),
    atEnd: ({ outcome, reason, event }) => ({
      "fieldmesh.delivery.outcome": outcome,
      "fieldmesh.delivery.reason": reason,
      "messaging.message.id": event?.id,
      "fieldmesh.event.type": event?.type,
    }),
    errorType: ({ outcome, status = 0 }) =>
      status >= 400 && outcome !== "in_progress" ? outcome : undefined,
    record(message, { seconds, errorType, context }) {
      const destination = { "messaging.destination.name": destinationOf(message) };
      const attributes = { ...PROCESS, ...destination, "error.type": errorType };
      duration.record(seconds, attributes, context);
      consumed.add(1, attributes, context);
    },
  };
}

/** The producer span of a delivery that is put into a queue. Its context is stored in the job. */
export const enqueueSpan: SpanOf<EnqueueMessage> = {
  channel: "fieldmesh:enqueue",
  kind: SpanKind.PRODUCER,
  name: () => `send ${JOBS}`,
  atStart: ({ event }) => ({
    ...SEND,
    "messaging.destination.name": JOBS,
    "messaging.operation.type": "send",
    "messaging.message.id": event.id,
    "fieldmesh.event.type": event.type,
  }),
  onStart: ({ carrier }, active) => propagation.inject(active, carrier),
};

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
