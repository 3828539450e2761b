import { afterAll, afterEach, beforeEach, describe, expect, test, vi } from "vitest";
import {
  context,
  propagation,
  SpanKind,
  SpanStatusCode,
  trace,
  type Attributes,
} from "@opentelemetry/api";
import { isTracingSuppressed } from "@opentelemetry/core";
import type { ReadableSpan } from "@opentelemetry/sdk-trace";
import { createConsoleClient, type ConsoleClientOptions } from "@fieldmesh/console-client";
import { createSandbox, type FaultScript } from "@fieldmesh/sandbox";
import { createLedgerClient } from "@fieldmesh/ledger-client";
import { signedRequest } from "@fieldmesh/webhook-types";
import {
  createReceiver,
  memoryStore,
  type ReceiverOptions,
} from "@fieldmesh/webhook-types/receiver";
import {
  createQueueReceiver,
  createQueueWorker,
  type DeliveryJob,
} from "@fieldmesh/webhook-types/queue";
import { sampleEvent } from "@fieldmesh/webhook-types/samples";
import { canaries } from "../../../tools/canaries/canaries.ts";
import { startHttp, sendJson } from "../../../tools/testing/http-server.ts";
import { traceFieldmesh, type TraceFieldmeshOptions } from "../src/index.ts";
import { startSdk } from "./sdk.ts";

const sdk = startSdk();
const stops: (() => void)[] = [];
afterAll(() => sdk.stop());
beforeEach(async () => await sdk.reset());
afterEach(() => {
  for (const stop of stops.splice(0)) stop();
});
const begin = (options?: TraceFieldmeshOptions): void => void stops.push(traceFieldmesh(options));

/** Returns each span as its path from the root, such as `labels.list > GET /api/v1/labels`. */
function tree(): string[] {
  const byId = new Map(sdk.spans().map((span) => [span.spanContext().spanId, span]));
  const pathOf = (span: ReadableSpan): string => {
    const parent = byId.get(span.parentSpanContext?.spanId ?? "");
    return parent === undefined ? span.name : `${pathOf(parent)} > ${span.name}`;
  };
  return sdk.spans().map(pathOf);
}
const traceIds = (): string[] => [
  ...new Set(sdk.spans().map((span) => span.spanContext().traceId)),
];
const only = (name: string): { attributes: Attributes; status: { code: SpanStatusCode } } => {
  const found = sdk.spans().filter((span) => span.name === name);
  expect(found).toHaveLength(1);
  return found[0]!;
};

const LABELS = "GET /api/v1/labels";
const labels = [{ id: crypto.randomUUID(), name: "Pumps" }];

/** Runs a function with a client whose server responds with these statuses, and then with labels. */
async function withServer<T>(
  statuses: number[],
  work: (
    client: ReturnType<typeof createConsoleClient>,
    server: Awaited<ReturnType<typeof startHttp>>,
  ) => Promise<T>,
  options: Partial<ConsoleClientOptions> = {},
): Promise<T> {
  await using server = await startHttp((_request, response) => {
    const status = statuses.shift() ?? 200;
    sendJson(response, status === 200 ? labels : {}, status);
  });
  const { baseUrl } = server;
  const own = { baseUrl, apiKey: canaries.apiKey, retry: { baseDelay: 1 }, ...options };
  return await work(createConsoleClient(own), server);
}

describe("a call", () => {
  test("is a span with one HTTP span for each attempt", async () => {
    begin();
    await withServer([503, 429], async (client, { baseUrl }) => {
      await client.labels.list();
      expect(tree()).toEqual([
        `labels.list > ${LABELS}`,
        `labels.list > ${LABELS}`,
        `labels.list > ${LABELS}`,
        "labels.list",
      ]);
      expect(traceIds()).toHaveLength(1);
      const request = {
        "http.request.method": "GET",
        "url.template": "/api/v1/labels",
        "server.address": "127.0.0.1",
        "server.port": Number(new URL(baseUrl).port),
      };
      const [first, second, third, call] = sdk.spans();
      expect(first).toMatchObject({
        kind: SpanKind.CLIENT,
        status: { code: SpanStatusCode.ERROR },
      });
      expect(first?.status.message).toBeUndefined();
      expect(first?.attributes).toEqual({
        ...request,
        "http.response.status_code": 503,
        "fieldmesh.response.bytes": 2,
        "error.type": "503",
      });
      expect(second?.attributes).toMatchObject({
        "http.request.resend_count": 1,
        "error.type": "429",
      });
      expect(third?.attributes).toEqual({
        ...request,
        "http.request.resend_count": 2,
        "http.response.status_code": 200,
        "fieldmesh.response.bytes": JSON.stringify(labels).length,
      });
      expect(call).toMatchObject({
        kind: SpanKind.INTERNAL,
        status: { code: SpanStatusCode.UNSET },
      });
      expect(call?.attributes).toEqual({
        "fieldmesh.call": "labels.list",
        "fieldmesh.call.id": expect.stringMatching(/^[\da-f-]{36}$/) as string,
        "fieldmesh.call.attempts": 3,
      });
    });
  });

  test("that fails has the type of its error, and not its message", async () => {
    begin();
    await withServer([404], async (client) => {
      await client.labels.get({ label_id: crypto.randomUUID() }).catch(() => undefined);
    });
    const call = only("labels.get");
    expect(call.status).toEqual({ code: SpanStatusCode.ERROR });
    expect(call.attributes).toMatchObject({
      "error.type": "404",
      "fieldmesh.call.outcome": "rejected",
    });
    expect(sdk.spans().flatMap(({ events }) => events)).toEqual([]);
  });

  test("records the HTTP metric in the buckets that the conventions recommend", async () => {
    begin();
    await withServer([503], (client) => client.labels.list());
    const all = await sdk.metrics();
    const ours = all.filter(({ scope }) => scope === "@fieldmesh/opentelemetry");
    expect(ours.map(({ descriptor }) => [descriptor.name, descriptor.unit])).toEqual([
      ["http.client.request.duration", "s"],
    ]);
    expect(ours[0]?.dataPoints.map(({ attributes }) => attributes)).toEqual([
      {
        "http.request.method": "GET",
        "url.template": "/api/v1/labels",
        "server.address": "127.0.0.1",
        "server.port": expect.any(Number) as number,
        "http.response.status_code": 503,
        "error.type": "503",
      },
      expect.objectContaining({ "http.response.status_code": 200 }),
    ]);
    expect(ours[0]?.dataPoints[0]?.value).toMatchObject({
      count: 1,
      buckets: { boundaries: expect.arrayContaining([0.005, 0.075, 7.5, 10]) as number[] },
    });
  });

  test("whose apiKey function sends requests does not suppress their instrumentation", async () => {
    begin();
    await using vault = await startHttp((_request, response) =>
      sendJson(response, canaries.apiKey),
    );
    const apiKey = async (): Promise<string> =>
      (await (await fetch(vault.baseUrl)).json()) as string;
    await withServer([], (client) => client.labels.list(), { apiKey });
    expect(tree()).toContain("labels.list > GET");
  });
});

describe("one trace", () => {
  test("contains all pages of a list without a span of the caller", async () => {
    begin();
    const { ledger } = createSandbox();
    const client = createLedgerClient(ledger);
    const blocks = await client.blocks.list().toArray({ limit: 250 });
    expect(blocks.length).toBeGreaterThan(100);
    const pages = sdk.spans().filter(({ name }) => name === "blocks.list page");
    expect(pages.length).toBeGreaterThan(1);
    expect(traceIds()).toHaveLength(1);
    expect(pages[0]?.attributes).toEqual({
      "fieldmesh.call": "blocks.list",
      "fieldmesh.page.items": expect.any(Number) as number,
    });
    await sdk.reset();
    await client.blocks.list().page();
    await client.blocks.list().page();
    expect(traceIds()).toHaveLength(2);
  });

  test("contains all chunks of a run and its lookups without a span of the caller", async () => {
    begin();
    const faults: FaultScript = [{ on: "devices.createBatch", kind: "lost" }];
    const sandbox = createSandbox({ faults, console: { data: "empty" } });
    const { baseUrl, fetch } = sandbox.console;
    const client = createConsoleClient({ baseUrl, fetch, apiKey: sandbox.apiKey });
    const devices = Array.from({ length: 20 }, (_, index) => ({
      name: `Device ${index}`,
      dev_eui: index.toString(16).padStart(15, "0").padStart(16, "A"),
      app_eui: "70B3D57ED0010001",
      app_key: canaries.appKey,
    }));
    await client.devices.createMany(devices, { chunkSize: 10, settleTime: 1 }).report();
    expect(traceIds()).toHaveLength(1);
    const send = "devices.createMany send";
    expect(sdk.spans().filter(({ name }) => name === send)).toHaveLength(2);
    // The first step of the run is its root.
    const prepare = "devices.createMany prepare";
    expect(tree()).toContain(`${prepare} > ${send} > devices.createBatch > POST /api/v1/devices`);
    expect(sdk.spanNamed("devices.createMany read_back")?.attributes).toEqual({
      "fieldmesh.call": "devices.createMany",
      "fieldmesh.chunk.step": "read_back",
      "fieldmesh.chunk.size": 10,
    });
  });

  test("is that of the caller if it has an active span", async () => {
    begin();
    const { ledger } = createSandbox();
    await trace.getTracer("program").startActiveSpan("job", async (span) => {
      await createLedgerClient(ledger).blocks.list().toArray({ limit: 250 });
      span.end();
    });
    expect(traceIds()).toHaveLength(1);
    for (const path of tree().slice(0, -1)) expect(path).toMatch(/^job > blocks\.list page/);
  });
});

describe("the context", () => {
  const tell = async (options?: TraceFieldmeshOptions) => {
    begin(options);
    return await withServer([503], async (client, { received }) => {
      const baggage = propagation.createBaggage({ team: { value: "water" } });
      await context.with(propagation.setBaggage(context.active(), baggage), () =>
        client.labels.list({ headers: { tracestate: "of=caller" } }),
      );
      return received.map(({ headers }) => headers);
    });
  };

  test("is not sent to the service", async () => {
    for (const headers of await tell()) {
      expect(headers).not.toHaveProperty("traceparent");
      expect(headers).not.toHaveProperty("baggage");
    }
  });

  test("is sent with propagate for each attempt, together with the key and the headers of the caller", async () => {
    const sent = await tell({ propagate: true });
    const spans = sdk.spans().filter(({ name }) => name === LABELS);
    expect(sent.map(({ traceparent }) => traceparent)).toEqual(
      spans.map((span) => `00-${span.spanContext().traceId}-${span.spanContext().spanId}-01`),
    );
    for (const headers of sent)
      expect(headers).toMatchObject({
        key: canaries.apiKey,
        tracestate: "of=caller",
        baggage: "team=water",
      });
  });

  test("of a propagator that sets the header of the key does not override the key", async () => {
    const inject = vi.spyOn(propagation, "inject").mockImplementation((active, carrier) => {
      // Every propagator checks this, because the instrumentation of undici calls it too.
      if (isTracingSuppressed(active)) return;
      Object.assign(carrier as object, { key: "another", Key: "another" });
    });
    const sent = await tell({ propagate: true });
    inject.mockRestore();
    expect(sent.map(({ key }) => key)).toEqual([canaries.apiKey, canaries.apiKey]);
  });
});

describe("a delivery", () => {
  const secret = canaries.webhookSecret;
  const event = sampleEvent("sim.activated");
  const deliver = async (options: Partial<ReceiverOptions> = {}, sign = secret) => {
    const quiet = { onError: () => {}, onOutcome: () => {} };
    const all = { ...quiet, secret, store: memoryStore(), handlers: {}, ...options };
    const url = "http://127.0.0.1/hooks";
    return await createReceiver(all)(await signedRequest(event, { url, secret: sign }));
  };
  const PROCESS = {
    "messaging.system": "fieldmesh",
    "messaging.destination.name": "webhooks",
    "messaging.operation.name": "process",
  };

  test("is the span of a consumer, with its stores and handlers as children", async () => {
    begin();
    await deliver({ handlers: { "sim.activated": async () => {} } });
    expect(tree()).toEqual([
      "process webhooks > store claim",
      "process webhooks > handle sim.activated",
      "process webhooks > store complete",
      "process webhooks",
    ]);
    const delivery = sdk.spanNamed("process webhooks");
    expect(delivery?.kind).toBe(SpanKind.CONSUMER);
    expect(delivery?.attributes).toEqual({
      ...PROCESS,
      "messaging.operation.type": "process",
      "messaging.message.id": event.id,
      "fieldmesh.event.type": event.type,
      "fieldmesh.delivery.outcome": "handled",
    });
    const all = await sdk.metrics();
    expect(all.map(({ descriptor }) => [descriptor.name, descriptor.unit])).toEqual([
      ["messaging.process.duration", "s"],
      ["messaging.client.consumed.messages", "{message}"],
    ]);
    expect(all.map(({ dataPoints }) => dataPoints[0]?.attributes)).toEqual([PROCESS, PROCESS]);
  });

  test("that fails has its outcome as its error type", async () => {
    begin();
    const fails = () => {
      throw new RangeError("x");
    };
    await deliver({ handlers: { "*": fails } });
    expect(only("process webhooks").attributes["error.type"]).toBe("failed");
    expect(only("handle sim.activated").attributes["error.type"]).toBe("RangeError");
    await sdk.reset();
    await deliver({}, `whsec_${btoa("another secret of some length")}`);
    expect(only("process webhooks").attributes).toEqual({
      ...PROCESS,
      "messaging.operation.type": "process",
      "fieldmesh.delivery.outcome": "not_verified",
      "fieldmesh.delivery.reason": "signature_mismatch",
      "error.type": "not_verified",
    });
  });

  test("of an event that another process handles is not an error", async () => {
    begin();
    const store = {
      ...memoryStore(),
      claim: async () => ({ status: "in_progress" as const, endsIn: 1 }),
    };
    expect((await deliver({ store })).status).toBe(503);
    expect(only("process webhooks").status.code).toBe(SpanStatusCode.UNSET);
  });

  test("whose handler calls a service has the call as a child of the handler", async () => {
    begin();
    await withServer([], async (client) => {
      await deliver({ handlers: { "*": async () => void (await client.labels.list()) } });
    });
    expect(tree()).toContain(`process webhooks > handle sim.activated > labels.list > ${LABELS}`);
  });
});

describe("traceFieldmesh", () => {
  test("uses the providers in its options", async () => {
    const getTracer = vi.fn(() => trace.getTracer("other"));
    const getMeter = vi.fn(() => ({}) as never);
    expect(() =>
      traceFieldmesh({ tracerProvider: { getTracer }, meterProvider: { getMeter } }),
    ).toThrow("createHistogram");
    expect(getTracer).toHaveBeenCalledWith("@fieldmesh/opentelemetry", expect.any(String));
    expect(getMeter).toHaveBeenCalledOnce();
  });

  test("throws while it or a second copy of it, as from CommonJS, is active, until it is stopped", async () => {
    vi.resetModules();
    const other = await import("../src/index.ts");
    expect(other.traceFieldmesh).not.toBe(traceFieldmesh);
    const stop = traceFieldmesh();
    for (const start of [traceFieldmesh, other.traceFieldmesh])
      expect(() => start()).toThrow("traceFieldmesh is already active");
    stop();
    const stopOther = other.traceFieldmesh();
    // A second call of the first stop function has no effect.
    stop();
    expect(() => traceFieldmesh()).toThrow("traceFieldmesh is already active");
    stopOther();
  });

  // Like the providers of an SDK.
  const circular: Record<string, unknown> = {};
  circular["self"] = circular;

  test.each<[unknown, string]>([
    [{ propagat: true }, 'traceFieldmesh has no option "propagat"'],
    [{ tracerprovider: circular }, 'Did you mean "tracerProvider"?'],
    [{ tracerProvider: 5 }, "tracerProvider must be a tracer provider"],
    [{ meterProvider: {} }, "meterProvider must be a meter provider"],
    [{ propagate: "yes" }, "propagate must be true or false"],
    [null, "traceFieldmesh"],
  ])("rejects %o", (options, message) => {
    expect(() => traceFieldmesh(options as never)).toThrow(message);
  });

  test("ignores work that began before it, and a tracer that throws", async () => {
    const begun = Promise.withResolvers<void>();
    await withServer([], async (client) => {
      const call = client.labels.list();
      begin();
      await call;
      expect(sdk.spanNamed("labels.list")?.name).toBeUndefined();
      for (const stop of stops.splice(0)) stop();
      await sdk.reset();
      const startSpan = (): never => {
        throw new Error("no spans today");
      };
      begin({ tracerProvider: { getTracer: () => ({ startSpan, startActiveSpan: startSpan }) } });
      await client.labels.list();
      // The instrumentation of undici still exports no URL.
      expect(sdk.spans()).toEqual([]);
      begun.resolve();
    });
    await begun.promise;
  });
});

describe("webhooks through a queue", () => {
  const key = crypto.subtle.importKey("raw", new Uint8Array(32), "AES-GCM", false, [
    "encrypt",
    "decrypt",
  ]);

  /** Delivers an event, and runs its job later, outside of the trace of the delivery, as another process would. */
  const runJob = async (): Promise<DeliveryJob[]> => {
    const jobs: DeliveryJob[] = [];
    const keys = [await key];
    const queue = { add: async (job: DeliveryJob) => void jobs.push(job) };
    const receive = createQueueReceiver({ secret: canaries.webhookSecret, keys, queue });
    const request = await signedRequest(sampleEvent("sim.activated"), {
      url: "http://127.0.0.1/hooks",
      secret: canaries.webhookSecret,
    });
    await receive(request);
    const work = createQueueWorker({
      keys,
      store: memoryStore(),
      handlers: { "sim.activated": () => undefined },
    });
    for (const job of jobs) await work(job);
    return jobs;
  };

  test("the trace continues from the delivery to the handler, and the job shows nothing of it", async () => {
    begin();
    const jobs = await runJob();
    expect(tree()).toEqual([
      "process webhooks > send webhook jobs",
      "process webhooks",
      "process webhooks > send webhook jobs > process webhook jobs > store claim",
      "process webhooks > send webhook jobs > process webhook jobs > handle sim.activated",
      "process webhooks > send webhook jobs > process webhook jobs > store complete",
      "process webhooks > send webhook jobs > process webhook jobs",
    ]);
    expect(traceIds()).toHaveLength(1);
    expect(JSON.stringify(jobs)).not.toContain(traceIds()[0]);
    const sent = sdk.spanNamed("send webhook jobs");
    expect(sent?.kind).toBe(SpanKind.PRODUCER);
    expect(sent?.attributes).toEqual({
      "messaging.system": "fieldmesh",
      "messaging.operation.name": "send",
      "messaging.operation.type": "send",
      "messaging.destination.name": "webhook jobs",
      "messaging.message.id": "evt_01JD3Y6M2P5VX8",
      "fieldmesh.event.type": "sim.activated",
    });
    expect(only("process webhooks").attributes["fieldmesh.delivery.outcome"]).toBe("stored");
    expect(only("process webhook jobs").attributes["fieldmesh.delivery.outcome"]).toBe("handled");
  });
});
