import { createContextKey, type Context } from "@opentelemetry/api";

// Same as `suppressTracing` of @opentelemetry/core, of which a program may contain several versions. A test compares them.
const SUPPRESSED = createContextKey("OpenTelemetry SDK Context Key SUPPRESS_TRACING");

/** Returns a context in which tracers start no spans, such as those of the instrumentations of undici and http. */
export function suppressTracing(active: Context): Context {
  return active.setValue(SUPPRESSED, true);
}
