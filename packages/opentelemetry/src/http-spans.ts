import type {
  AttemptMessage,
  CallMessage,
  ChunkMessage,
  PageMessage,
  RequestAttributes,
} from "@fieldmesh/core";
import { propagation, SpanKind, type Attributes, type Meter } from "@opentelemetry/api";
import { SECONDS, type SpanOf } from "./span-of.ts";

export const callSpan: SpanOf<CallMessage> = {
  channel: "fieldmesh:call",
  kind: SpanKind.INTERNAL,
  name: ({ call }) => call,
  atStart: ({ call, callId }) => ({ "fieldmesh.call": call, "fieldmesh.call.id": callId }),
  atEnd: ({ attempts, outcome }) => ({
    "fieldmesh.call.attempts": attempts,
    "fieldmesh.call.outcome": outcome,
  }),
};

/** Creates the HTTP client span of the conventions, without `url.full`, which may contain a key. */
export function attemptSpan(
  meter: Meter,
  { propagate }: { readonly propagate: boolean },
): SpanOf<AttemptMessage> {
  const duration = meter.createHistogram("http.client.request.duration", {
    description: "Duration of HTTP client requests.",
    ...SECONDS,
  });
  return {
    channel: "fieldmesh:attempt",
    kind: SpanKind.CLIENT,
    name: ({ method, template }) => `${method} ${template}`,
    atStart(message) {
      const attributes = requestAttributes(message);
      if (message.attempt > 1) attributes["http.request.resend_count"] = message.attempt - 1;
      return attributes;
    },
    atEnd: ({ status, bytes }) => ({
      "http.response.status_code": status,
      "fieldmesh.response.bytes": bytes,
    }),
    isLeaf: true,
    onStart({ headers }, active) {
      if (propagate) propagation.inject(active, headers);
    },
    record(message, { seconds, errorType, context }) {
      const attributes = requestAttributes(message);
      attributes["http.response.status_code"] = message.status;
      attributes["error.type"] = errorType;
      duration.record(seconds, attributes, context);
    },
  };
}

function requestAttributes(message: RequestAttributes): Attributes {
  return {
    "http.request.method": message.method,
    "url.template": message.template,
    "server.address": message.serverAddress,
    "server.port": message.serverPort,
  };
}

export const pageSpan: SpanOf<PageMessage> = {
  channel: "fieldmesh:page",
  kind: SpanKind.INTERNAL,
  name: ({ call }) => `${call} page`,
  atStart: ({ call }) => ({ "fieldmesh.call": call }),
  atEnd: ({ items }) => ({ "fieldmesh.page.items": items }),
  group: ({ list }) => list,
};

export const chunkSpan: SpanOf<ChunkMessage> = {
  channel: "fieldmesh:chunk",
  kind: SpanKind.INTERNAL,
  name: ({ call, step }) => `${call} ${step}`,
  atStart: ({ call, step, size }) => ({
    "fieldmesh.call": call,
    "fieldmesh.chunk.step": step,
    "fieldmesh.chunk.size": size,
  }),
  group: ({ run }) => run,
};
