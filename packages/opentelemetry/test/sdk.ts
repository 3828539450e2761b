import { createRequire } from "node:module";
import { context, metrics, propagation, trace } from "@opentelemetry/api";
import { AsyncLocalStorageContextManager } from "@opentelemetry/context-async-hooks";
import {
  CompositePropagator,
  W3CBaggagePropagator,
  W3CTraceContextPropagator,
} from "@opentelemetry/core";
import { HttpInstrumentation } from "@opentelemetry/instrumentation-http";
import { UndiciInstrumentation } from "@opentelemetry/instrumentation-undici";
import {
  InMemoryLogRecordExporter,
  LoggerProvider,
  SimpleLogRecordProcessor,
} from "@opentelemetry/sdk-logs";
import {
  AggregationTemporality,
  InMemoryMetricExporter,
  MeterProvider,
  PeriodicExportingMetricReader,
} from "@opentelemetry/sdk-metrics";
import {
  InMemorySpanExporter,
  SimpleSpanProcessor,
  TracerProvider,
} from "@opentelemetry/sdk-trace";

/** Starts the OpenTelemetry SDK globally, with the instrumentation of undici and http and with recording exporters. */
export function startSdk() {
  const spans = new InMemorySpanExporter();
  const tracerProvider = new TracerProvider({
    spanProcessors: [new SimpleSpanProcessor({ exporter: spans })],
  });
  const metricExporter = new InMemoryMetricExporter(AggregationTemporality.DELTA);
  const reader = new PeriodicExportingMetricReader({ exporter: metricExporter });
  const meterProvider = new MeterProvider({ readers: [reader] });
  const logs = new InMemoryLogRecordExporter();
  const loggerProvider = new LoggerProvider({
    processors: [new SimpleLogRecordProcessor({ exporter: logs })],
  });
  context.setGlobalContextManager(new AsyncLocalStorageContextManager().enable());
  trace.setGlobalTracerProvider(tracerProvider);
  metrics.setGlobalMeterProvider(meterProvider);
  propagation.setGlobalPropagator(
    new CompositePropagator({
      propagators: [new W3CTraceContextPropagator(), new W3CBaggagePropagator()],
    }),
  );
  const instrumentations = [
    new UndiciInstrumentation(),
    // The servers of the tests run in this process, and are not under test.
    new HttpInstrumentation({ disableIncomingRequestInstrumentation: true }),
  ];
  for (const each of instrumentations) {
    each.setTracerProvider(tracerProvider);
    each.setMeterProvider(meterProvider);
    each.enable();
  }
  // The instrumentation patches modules that are required after it.
  createRequire(import.meta.url)("http");
  return {
    logger: loggerProvider.getLogger("program"),
    /** Returns the spans in the order in which they ended. */
    spans: () => spans.getFinishedSpans(),
    spanNamed: (name: string) => spans.getFinishedSpans().find((span) => span.name === name),
    async metrics() {
      await reader.forceFlush();
      return metricExporter
        .getMetrics()
        .flatMap(({ scopeMetrics }) =>
          scopeMetrics.flatMap(({ scope, metrics: all }) =>
            all.map((metric) => ({ scope: scope.name, ...metric })),
          ),
        );
    },
    /** Returns everything that the three exporters received, in the form in which they would export it. */
    async exported() {
      await reader.forceFlush();
      return [
        ...spans
          .getFinishedSpans()
          .map(({ name, attributes, status, events, links, resource, instrumentationScope }) => ({
            name,
            attributes,
            status,
            events,
            links,
            instrumentationScope,
            resource: resource.attributes,
          })),
        ...metricExporter.getMetrics(),
        ...logs
          .getFinishedLogRecords()
          .map(({ body, attributes, severityText }) => ({ body, attributes, severityText })),
      ];
    },
    async reset() {
      // The measurements until now belong to the previous test.
      await reader.forceFlush();
      spans.reset();
      metricExporter.reset();
      logs.reset();
    },
    async stop() {
      for (const each of instrumentations) each.disable();
      await Promise.all([
        tracerProvider.shutdown(),
        meterProvider.shutdown(),
        loggerProvider.shutdown(),
      ]);
      context.disable();
      trace.disable();
      metrics.disable();
      propagation.disable();
    },
  };
}
