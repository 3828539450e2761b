// The errors' chapter of the tour.
import { CallError, createConsoleClient, InputError, isApiError } from "@fieldmesh/console-client";
import type { RunningSandbox } from "@fieldmesh/sandbox";
import { prove, say, show, showError } from "./screen.ts";

const NO_LABEL = "00000000-0000-4000-8000-000000000000";

/** Makes failing calls to a sandbox. */
export async function tourErrors(sandbox: RunningSandbox): Promise<void> {
  const { baseUrl, apiKey } = sandbox.console;
  const client = createConsoleClient({ baseUrl, apiKey, retry: { baseDelay: 20 } });
  const requests = () => sandbox.log.count;

  say("Bad input:");
  const before = requests();
  const invalid = await showError(() => client.labels.get({ label_id: "pumps" }));
  prove(
    "Bad input is not sent",
    invalid instanceof InputError && requests() === before,
    "the sandbox received no request",
  );

  say("A label that does not exist:");
  const missing = await showError(() => client.labels.get({ label_id: NO_LABEL }));
  prove(
    "An outcome for each failure",
    isApiError(missing, 404) && missing.outcome === "rejected",
    'error.outcome is "rejected": the service has changed nothing',
  );

  say("A write whose response is lost:");
  sandbox.setFaults([{ on: "labels.create", kind: "lost" }]);
  const start = requests();
  const lost = await showError(() => client.labels.create({ name: "Valves" }));
  prove(
    "No blind retry",
    lost instanceof CallError && lost.outcome === "unknown" && requests() - start === 1,
    'error.outcome is "unknown", and the write was sent once',
  );

  say("A read whose connection breaks twice:");
  sandbox.setFaults([{ on: "labels.list", kind: "reset", times: 2 }]);
  const labels = await show(() => client.labels.list(), ["id", "name"]);
  const sent = sandbox.log.requests("labels.list").length;
  sandbox.setFaults(undefined);
  prove(
    "Reads are retried",
    labels.length > 0 && sent >= 3,
    "the third request returned the labels",
  );
}
