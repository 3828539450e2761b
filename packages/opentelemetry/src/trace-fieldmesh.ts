import { mistake, options, trueOrFalse, withMethods } from "@fieldmesh/core/internal";
import { metrics, trace, type MeterProvider, type TracerProvider } from "@opentelemetry/api";
import manifest from "../package.json" with { type: "json" };
import { bindChannel } from "./bind-channel.ts";
import { attemptSpan, callSpan, chunkSpan, pageSpan } from "./http-spans.ts";
import { deliverySpan, enqueueSpan, handlerSpan, storeSpan } from "./webhook-spans.ts";

/** Options of {@link traceFieldmesh}. */
export interface TraceFieldmeshOptions {
  /** Creates the spans. @default the globally registered provider, even if it is registered later */
  tracerProvider?: TracerProvider | undefined;
  /** Creates the metrics. @default the provider that is globally registered at the time of the call */
  meterProvider?: MeterProvider | undefined;
  /**
   * Sends the context of the span to the service, with the globally registered propagator: for example the header `traceparent`,
   * and `baggage` with everything that your program has put there.
   *
   * @default false - the service learns nothing about your traces
   */
  propagate?: boolean | undefined;
}

const readOptions = /* @__PURE__ */ options<TraceFieldmeshOptions>("traceFieldmesh", {
  tracerProvider: /* @__PURE__ */ withMethods(
    "a tracer provider, like that of an OpenTelemetry SDK",
    "getTracer",
  ),
  meterProvider: /* @__PURE__ */ withMethods(
    "a meter provider, like that of an OpenTelemetry SDK",
    "getMeter",
  ),
  propagate: trueOrFalse,
});

// On the global object, because a program may load the package from ESM and from CommonJS, and both would trace everything.
const ACTIVE = Symbol.for("fieldmesh.opentelemetry.active");
const shared = globalThis as { [ACTIVE]?: boolean };

/**
 * Creates spans and metrics for fieldmesh clients and receivers. Returns a function that stops the tracing.
 *
 * While it is active, tracers create no spans below an attempt. The instrumentations of undici and http would record the URL
 * there, which may contain a key. Call it once, after the SDK has started. Throws a TypeError while it is active.
 *
 * @example
 * ```ts
 * const stop = traceFieldmesh();
 * ```
 */
export function traceFieldmesh(given?: TraceFieldmeshOptions): () => void {
  const { tracerProvider = trace, meterProvider = metrics, propagate = false } = readOptions(given);
  if (shared[ACTIVE] === true)
    throw mistake("traceFieldmesh is already active. First call the function that it returned.");
  const { name, version } = manifest;
  const tracer = tracerProvider.getTracer(name, version);
  const meter = meterProvider.getMeter(name, version);
  const attempts = attemptSpan(meter, { propagate });
  const deliveries = deliverySpan(meter);
  const unbind = [
    bindChannel(tracer, callSpan),
    bindChannel(tracer, attempts),
    bindChannel(tracer, pageSpan),
    bindChannel(tracer, chunkSpan),
    bindChannel(tracer, deliveries),
    bindChannel(tracer, enqueueSpan),
    bindChannel(tracer, handlerSpan),
    bindChannel(tracer, storeSpan),
  ];
  shared[ACTIVE] = true;
  return () => {
    if (unbind.length === 0) return;
    for (const each of unbind.splice(0)) each();
    shared[ACTIVE] = false;
  };
}
