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

/** The SDK of OpenTelemetry as a program has it: registered globally, with the instrumentation of undici and http, and exporters that keep what they get. */
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
    // The servers of the tests are in this process, and are no part of what is tested.
    new HttpInstrumentation({ disableIncomingRequestInstrumentation: true }),
  ];
  for (const each of instrumentations) {
    each.setTracerProvider(tracerProvider);
    each.setMeterProvider(meterProvider);
    each.enable();
  }
  // It patches what is required after it.
  createRequire(import.meta.url)("http");
  return {
    logger: loggerProvider.getLogger("program"),
    /** Spans that have ended, in this order. */
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
    /** Everything that the three exporters have got, as they would write it. */
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
      // What was measured until now is of the test before.
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
