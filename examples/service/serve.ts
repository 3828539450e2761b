import { createServer } from "node:http";
import { traceFieldmesh } from "@fieldmesh/opentelemetry";
import { toNodeHandler } from "@fieldmesh/webhook-types/adapters";
import { createReceiver } from "@fieldmesh/webhook-types/receiver";
import { PrometheusExporter } from "@opentelemetry/exporter-prometheus";
import { MeterProvider } from "@opentelemetry/sdk-metrics";
import { handlers } from "./handlers.ts";
import { setting } from "./settings.ts";
import { inbox, order, poison, pool } from "./storage.ts";

const PORT = Number(process.env["PORT"] ?? 3_000);
const METRICS_PORT = Number(process.env["METRICS_PORT"] ?? 9_464);
/** A deployment for customers handles their events only, and every other one only events of tests. */
const LIVEMODE = process.env["LIVEMODE"] === "true";
/** Less than the time between SIGTERM and SIGKILL, 30 s in Kubernetes. */
const LONGEST_SHUTDOWN = 25_000;

/** Receives webhooks at /hooks until SIGTERM. */
export async function serve(): Promise<void> {
  const metrics = startMetrics();
  const receive = toNodeHandler(
    createReceiver({
      secret: setting("WEBHOOK_SECRET"),
      store: inbox,
      expectLivemode: LIVEMODE,
      order,
      poison,
      handlers,
      // One line of JSON for each delivery, without a payload.
      onOutcome: (report) => console.log(JSON.stringify(report)),
      onError: (error) => console.error(error),
    }),
  );
  const server = createServer((request, response) => {
    if (request.url === "/hooks") return void receive(request, response);
    if (request.url !== "/ready") return void response.writeHead(404).end();
    // Not a liveness probe: a restart does not bring the database back.
    pool.query("SELECT 1").then(
      () => response.end("ready"),
      () => response.writeHead(503).end("the database does not respond"),
    );
  }).listen(PORT, () => console.log(`listening on port ${PORT}`));

  process.once("SIGTERM", () => {
    // A sender may use a connection again after its response; Node closes only those that are idle now.
    const closing = setInterval(() => server.closeIdleConnections(), 50);
    server.close(() => {
      clearInterval(closing);
      void Promise.all([metrics.shutdown(), pool.end()]);
    });
    setTimeout(() => process.exit(1), LONGEST_SHUTDOWN).unref();
  });
}

/** Serves the metrics of the receiver, and how many events were set aside, at /metrics. */
function startMetrics(): MeterProvider {
  const exporter = new PrometheusExporter({ port: METRICS_PORT });
  const meterProvider = new MeterProvider({ readers: [exporter] });
  traceFieldmesh({ meterProvider });
  meterProvider
    .getMeter("service")
    .createObservableGauge("service.events.aside", {
      description: "Events that were set aside and wait to be run again.",
    })
    .addCallback(async (result) => result.observe((await poison.store.list()).length));
  return meterProvider;
}
