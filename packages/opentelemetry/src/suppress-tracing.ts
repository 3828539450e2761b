import { createContextKey, type Context } from "@opentelemetry/api";

// As `suppressTracing` of @opentelemetry/core does, of which programs have several versions. A test compares them.
const SUPPRESSED = createContextKey("OpenTelemetry SDK Context Key SUPPRESS_TRACING");

/** A context in which no tracer starts a span, such as those of the instrumentation of undici and http. */
export function suppressTracing(active: Context): Context {
  return active.setValue(SUPPRESSED, true);
}
