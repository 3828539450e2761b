import { checkOptionNames, describeValue, hasMethod, requireOptions } from "@fieldmesh/core";
import { metrics, trace, type MeterProvider, type TracerProvider } from "@opentelemetry/api";
import manifest from "../package.json" with { type: "json" };
import { bindChannel } from "./bind-channel.ts";
import { attemptSpan, callSpan, chunkSpan, pageSpan } from "./http-spans.ts";
import { deliverySpan, handlerSpan, storeSpan } from "./webhook-spans.ts";

/** Options of {@link traceFieldmesh}. */
export interface TraceFieldmeshOptions {
  /** Makes the spans. @default the one that is registered globally, also later */
  tracerProvider?: TracerProvider | undefined;
  /** Makes the metrics. @default the one that is registered globally at the time of the call */
  meterProvider?: MeterProvider | undefined;
  /**
   * Sends the context of the span to the service, by the propagator that is registered globally: such as the header `traceparent`, and `baggage` with all that
   * your program has put there.
   *
   * @default false - the service learns nothing of your traces
   */
  propagate?: boolean | undefined;
}

const NAMES: Readonly<Record<keyof TraceFieldmeshOptions, true>> = {
  tracerProvider: true,
  meterProvider: true,
  propagate: true,
};

let isActive = false;

/**
 * Makes spans and metrics of what clients and receivers do, and returns a function that stops this.
 *
 * While it is active, tracers make no spans below an attempt: those that the instrumentation of undici and http would make have the URL, which may hold a key. Call it once,
 * after the SDK has started. Throws a TypeError while it is active.
 *
 * @example
 * ```ts
 * const stop = traceFieldmesh();
 * ```
 */
export function traceFieldmesh(options: TraceFieldmeshOptions = {}): () => void {
  requireOptions("traceFieldmesh", options, "such as { propagate: false }");
  checkOptionNames("traceFieldmesh", options, Object.keys(NAMES));
  const { tracerProvider = trace, meterProvider = metrics, propagate = false } = options;
  checkProvider("tracerProvider", tracerProvider, "getTracer");
  checkProvider("meterProvider", meterProvider, "getMeter");
  if (typeof propagate !== "boolean")
    throw new TypeError(
      `propagate must be true or false, or be left out; it is ${describeValue(propagate)}.`,
    );
  if (isActive)
    throw new TypeError("traceFieldmesh is active. Call the function that it returned first.");
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
    bindChannel(tracer, handlerSpan),
    bindChannel(tracer, storeSpan),
  ];
  isActive = true;
  return () => {
    if (unbind.length === 0) return;
    for (const each of unbind.splice(0)) each();
    isActive = false;
  };
}

function checkProvider(name: string, value: unknown, method: string): void {
  if (!hasMethod(value, method))
    throw new TypeError(
      `${name} must have the method ${method}, as those of an OpenTelemetry SDK have; it is ${describeValue(value)}.`,
    );
}
