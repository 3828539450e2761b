import { readFileSync } from "node:fs";
import { join } from "node:path";
import { createConsoleClient } from "@fieldmesh/console-client";
import { traceFieldmesh } from "@fieldmesh/opentelemetry";
import { createSandbox } from "@fieldmesh/sandbox";
import { createReceiver, noStore } from "@fieldmesh/webhook-types/receiver";
import { PrometheusExporter, PrometheusSerializer } from "@opentelemetry/exporter-prometheus";
import { MeterProvider } from "@opentelemetry/sdk-metrics";
import { expect, test } from "vitest";

const service = join(import.meta.dirname, "..", "service");
/** The metric of the service itself, and the labels that PromQL or Prometheus adds. */
const OWN_METRIC = "service_events_aside";
const OWN_LABELS: ReadonlySet<string> = new Set(["le"]);

/** Returns what Prometheus reads after a call and a delivery. */
async function scrape(): Promise<string> {
  const exporter = new PrometheusExporter({ preventServerStart: true });
  const stop = traceFieldmesh({ meterProvider: new MeterProvider({ readers: [exporter] }) });
  const sandbox = createSandbox();
  await createConsoleClient(sandbox.console).labels.list();
  const receive = createReceiver({
    secret: "whsec_test_secret_only",
    store: noStore(),
    handlers: {},
    onOutcome: () => {},
  });
  await receive(new Request("http://127.0.0.1/", { method: "POST", body: "{}" }));
  const { resourceMetrics } = await exporter.collect();
  stop();
  return new PrometheusSerializer().serialize(resourceMetrics);
}

/** Returns the metrics of expressions in PromQL, and their labels. */
function namesIn(expressions: string): { metrics: Set<string>; labels: Set<string> } {
  const matchers = [...expressions.matchAll(/(\w+)\{([^}]*)\}/g)];
  const grouped = [...expressions.matchAll(/\bby \(([^)]*)\)/g)].flatMap(([, all = ""]) =>
    all.split(", "),
  );
  const inside = matchers.flatMap(([, , all = ""]) =>
    [...all.matchAll(/(\w+)(?:=|!)/g)].map(([, name = ""]) => name),
  );
  const bare = expressions.includes(`max(${OWN_METRIC})`) ? [OWN_METRIC] : [];
  return {
    metrics: new Set([...matchers.map(([, name = ""]) => name), ...bare]),
    labels: new Set([...grouped, ...inside]),
  };
}

const alerts = readFileSync(join(service, "alerts.yml"), "utf8").replace(/^ *#.*$/gm, "");
const dashboard = JSON.parse(readFileSync(join(service, "dashboard.json"), "utf8")) as {
  panels: { targets: { expr: string }[] }[];
};
const shown = dashboard.panels.flatMap(({ targets }) => targets.map(({ expr }) => expr)).join("\n");

test.each([
  ["alert rules", alerts],
  ["dashboard", shown],
])(
  "the %s use metrics and labels that the packages export, and all of the metrics",
  async (_name, text) => {
    const exported = await scrape();
    const metrics = new Set([...exported.matchAll(/^(\w+)\{/gm)].map(([, name = ""]) => name));
    const labels = new Set([...exported.matchAll(/[{,](\w+)="/g)].map(([, name = ""]) => name));
    const used = namesIn(text);
    expect([...used.metrics].filter((name) => !metrics.has(name))).toEqual([OWN_METRIC]);
    expect([...used.labels].filter((name) => !labels.has(name) && !OWN_LABELS.has(name))).toEqual(
      [],
    );
    const families = [...exported.matchAll(/^# TYPE (\w+?)(?:_total)? /gm)].map(
      ([, name = ""]) => name,
    );
    const unused = families.filter(
      (name) => ![...used.metrics].some((each) => each.startsWith(name)),
    );
    expect(unused).toEqual(["target_info"]);
  },
);
