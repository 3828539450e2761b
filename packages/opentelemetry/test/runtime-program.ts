import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { context, trace } from "@opentelemetry/api";
import { AsyncLocalStorageContextManager } from "@opentelemetry/context-async-hooks";
import { UndiciInstrumentation } from "@opentelemetry/instrumentation-undici";
import {
  InMemorySpanExporter,
  SimpleSpanProcessor,
  TracerProvider,
} from "@opentelemetry/sdk-trace";
import { createConsoleClient } from "@fieldmesh/console-client";
import { traceFieldmesh } from "../src/index.ts";

// Calls a server on loopback with the bridge, in other versions of Node, and prints each span as its path from the root.
const exporter = new InMemorySpanExporter();
const tracerProvider = new TracerProvider({
  spanProcessors: [new SimpleSpanProcessor({ exporter })],
});
context.setGlobalContextManager(new AsyncLocalStorageContextManager().enable());
trace.setGlobalTracerProvider(tracerProvider);
new UndiciInstrumentation().enable();
traceFieldmesh();

const server = createServer((_request, response) => void response.end("[]"));
await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
const { port } = server.address() as AddressInfo;
const baseUrl = `http://127.0.0.1:${port}`;
const client = createConsoleClient({ baseUrl, apiKey: "not a secret".replaceAll(" ", "-") });
await trace.getTracer("program").startActiveSpan("job", async (span) => {
  await client.labels.list();
  span.end();
});
// Shows that the instrumentation of undici is active.
await (await fetch(baseUrl)).text();
server.close();
server.closeAllConnections();

const spans = exporter.getFinishedSpans();
const byId = new Map(spans.map((span) => [span.spanContext().spanId, span]));
const pathOf = (span: (typeof spans)[number]): string => {
  const parent = byId.get(span.parentSpanContext?.spanId ?? "");
  return parent === undefined ? span.name : `${pathOf(parent)} > ${span.name}`;
};
// oxlint-disable-next-line no-console -- read by the test
console.log(JSON.stringify(spans.map(pathOf)));
