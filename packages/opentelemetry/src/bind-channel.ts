import { tracingChannel, type TracingChannelSubscribers } from "node:diagnostics_channel";
import type { TraceMessage } from "@fieldmesh/core";
import {
  context,
  diag,
  SpanStatusCode,
  trace,
  type Context,
  type Span,
  type SpanContext,
  type Tracer,
  createContextKey,
} from "@opentelemetry/api";
import type { SpanOf } from "./span-of.ts";

/**
 * Creates a span for each message of a channel, and runs the work in the context of the span. Returns a function that stops this.
 *
 * Uses `wrap` of the message instead of `bindStore` of the channel, because the latter requires the AsyncLocalStorage of the
 * context manager, which is private.
 */
export function bindChannel<Message extends TraceMessage>(
  tracer: Tracer,
  spanOf: SpanOf<Message>,
): () => void {
  const channel = tracingChannel<unknown, Message>(spanOf.channel);
  const open = new WeakMap<Message, Started>();
  /** The first span of each group without a parent. */
  const roots = new WeakMap<object, SpanContext>();

  function start(message: Message): void {
    const parent = parentOf(message);
    const active = startSpan(message, parent) ?? parent;
    guard(() => spanOf.onStart?.(message, active));
    const entered = spanOf.isLeaf === true ? suppressTracing(active) : active;
    const { wrap } = message;
    message.wrap = (work) =>
      context.with(entered, () => (wrap === undefined ? work() : wrap(work)));
  }

  /** Starts the span and returns its context. */
  function startSpan(message: Message, parent: Context): Context | undefined {
    return guard(() => {
      const { name, kind, atStart, group } = spanOf;
      const span = tracer.startSpan(name(message), { kind, attributes: atStart(message) }, parent);
      const isRoot = trace.getSpan(parent) === undefined && span.isRecording();
      if (group !== undefined && isRoot) roots.set(group(message), span.spanContext());
      const active = trace.setSpan(parent, span);
      open.set(message, { span, active, startedAt: performance.now() });
      return active;
    });
  }

  function parentOf(message: Message): Context {
    const active = guard(() => spanOf.parentOf?.(message, context.active())) ?? context.active();
    const root = spanOf.group && roots.get(spanOf.group(message));
    if (root === undefined || trace.getSpan(active) !== undefined) return active;
    return trace.setSpanContext(active, root);
  }

  function end(message: Message): void {
    const started = open.get(message);
    // It began before the channel was bound.
    if (started === undefined) return;
    const { span, active, startedAt } = started;
    const seconds = (performance.now() - startedAt) / 1_000;
    const errorType = message.error?.code ?? spanOf.errorType?.(message);
    if (spanOf.atEnd !== undefined) span.setAttributes(spanOf.atEnd(message));
    if (errorType !== undefined)
      span.setAttribute("error.type", errorType).setStatus({ code: SpanStatusCode.ERROR });
    spanOf.record?.(message, { seconds, errorType, context: active });
    span.end();
  }

  const subscribers = {
    start,
    asyncEnd: (message) => guard(() => end(message)),
  } as TracingChannelSubscribers<Message>;
  channel.subscribe(subscribers);
  return () => {
    channel.unsubscribe(subscribers);
  };
}

/** A span that has not ended. */
interface Started {
  readonly span: Span;
  /** Its context. */
  readonly active: Context;
  readonly startedAt: number;
}

/** An error of a subscriber ends the process. An error of a span processor must not. */
function guard<T>(work: () => T): T | undefined {
  try {
    return work();
  } catch (error) {
    diag.error("@fieldmesh/opentelemetry: a span or a metric failed", error);
    return undefined;
  }
}

// Same as `suppressTracing` of @opentelemetry/core, of which a program may contain several versions. A test compares them.
const SUPPRESSED = createContextKey("OpenTelemetry SDK Context Key SUPPRESS_TRACING");

/** Returns a context in which tracers start no spans, such as those of the instrumentations of undici and http. */
export function suppressTracing(active: Context): Context {
  return active.setValue(SUPPRESSED, true);
}
