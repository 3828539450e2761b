// Measures what telemetry adds to a call, without a network: npm run bench -- telemetry
import { tracingChannel } from "node:diagnostics_channel";
import { context } from "@opentelemetry/api";
import { AsyncLocalStorageContextManager } from "@opentelemetry/context-async-hooks";
import { MeterProvider, MetricReader } from "@opentelemetry/sdk-metrics";
import { BatchSpanProcessor, NoopSpanProcessor, TracerProvider } from "@opentelemetry/sdk-trace";
import { createConsoleClient } from "@fieldmesh/console-client";
import { attemptChannel, callChannel, trace } from "@fieldmesh/core/internal";
import { traceFieldmesh } from "@fieldmesh/opentelemetry";
import { finish, limit, note, table } from "./support/report.ts";

const CALLS = 200;
const ROUNDS = 100;
const MOST_MICROSECONDS = 15;
const IN_BATCHES = "the bridge, the SDK in batches";

const body = JSON.stringify([{ id: "7c9e6679-7425-40de-944b-e07fc1f90ae7", name: "Pumps" }]);
const client = createConsoleClient({
  baseUrl: "https://console.test",
  apiKey: "bench-key",
  rateLimit: false,
  fetch: async () => new Response(body, { headers: { "content-type": "application/json" } }),
});

context.setGlobalContextManager(new AsyncLocalStorageContextManager().enable());
/** Collects nothing by itself. */
class Reader extends MetricReader {
  protected override async onForceFlush(): Promise<void> {}
  protected override async onShutdown(): Promise<void> {}
}
const meterProvider = new MeterProvider({ readers: [new Reader()] });
const exporter = {
  export: (_spans: unknown, done: (result: { code: number }) => void) => done({ code: 0 }),
  shutdown: async () => {},
};
const batched = new TracerProvider({
  spanProcessors: [new BatchSpanProcessor({ exporter: exporter as never })],
});
const unprocessed = new TracerProvider({ spanProcessors: [new NoopSpanProcessor()] });

/** Each subscribes, and returns a function that unsubscribes. */
const cases: Record<string, () => () => void> = {
  "no listener": () => () => {},
  "a listener of fieldmesh:call": () => {
    const channel = tracingChannel("fieldmesh:call");
    const subscribers = { start: () => {} } as never;
    channel.subscribe(subscribers);
    return () => {
      channel.unsubscribe(subscribers);
    };
  },
  "the bridge, without an SDK": () => traceFieldmesh(),
  "the bridge, the SDK without a processor": () =>
    traceFieldmesh({ tracerProvider: unprocessed, meterProvider }),
  [IN_BATCHES]: () => traceFieldmesh({ tracerProvider: batched, meterProvider }),
};

/** Publishes the messages of a call with one attempt, without the call itself. */
const facts = () => ({
  callId: "7c9e6679-7425-40de-944b-e07fc1f90ae7",
  call: "labels.list",
  method: "GET",
  template: "/api/v1/labels",
  serverAddress: "console.test",
  serverPort: 443,
});
const attempt = () =>
  trace(attemptChannel, async () => undefined, {
    start: () => ({ ...facts(), attempt: 1, headers: {} }),
    end: () => ({ status: 200, bytes: body.length }),
  });
const publish = () =>
  trace(callChannel, attempt, { start: facts, end: () => ({ attempts: 1, status: 200 }) });

note(
  `CPU time, in µs, of a call of labels.list with a fetch that responds from memory, and of only publishing the messages of a call. Each figure is the minimum of ${ROUNDS} rounds of ${CALLS} calls, because other work on the machine only adds time.`,
);
const whole = await measure(() => client.labels.list());
const alone = await measure(publish);
const [none = 0] = Object.values(whole);
table(
  Object.entries(whole).map(([listener, µs]) => ({
    listener,
    "whole call": µs,
    added: µs - none,
    "published alone": alone[listener] ?? 0,
  })),
);
const name = "µs that the bridge and the SDK spend on the messages of a call";
limit(name, alone[IN_BATCHES] ?? Infinity, { most: MOST_MICROSECONDS });
await Promise.all([batched.shutdown(), unprocessed.shutdown(), meterProvider.shutdown()]);
finish();

async function measure(run: () => Promise<unknown>): Promise<Record<string, number>> {
  const least: Record<string, number> = {};
  for (let round = 0; round < ROUNDS; round++) {
    for (const [listener, begin] of Object.entries(cases)) {
      const stop = begin();
      const start = process.cpuUsage();
      for (let call = 0; call < CALLS; call++) await run();
      const { user, system } = process.cpuUsage(start);
      stop();
      least[listener] = Math.min(least[listener] ?? Infinity, (user + system) / CALLS);
    }
  }
  return least;
}
