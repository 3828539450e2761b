import { setTimeout as sleep } from "node:timers/promises";
import { ENDED, isRecord, Secret } from "@fieldmesh/core/internal";
import { type RunCommand, textOf } from "../command.ts";
import { CommandError } from "../command-error.ts";
import { readLocalUrl, readPort, readSecretIfGiven } from "../read-input.ts";
import { shownUrl } from "../../engine/webhooks/shown-url.ts";
import { type Controls, findSandbox, notASandbox, readList } from "./controls.ts";
import { serveDeliveries } from "./delivery-server.ts";
import { newId } from "./make-event.ts";
import { LONGEST_WAIT } from "./send-request.ts";
import { showArrival, verifierOf } from "./show-arrival.ts";

export const run: RunCommand = async (context, input) => {
  const { output, signal, reveal } = context;
  const to = textOf(input, "forwardTo");
  const forwardTo = to === undefined ? undefined : readLocalUrl("forward-to", to);
  const port = readPort(input);
  const given = await readSecretIfGiven(context, input);
  const secret = given ?? new Secret(newId("whsec"));
  const verify = verifierOf(secret);
  const sandbox = findSandbox(context, input);
  const report = (arrival: Parameters<typeof showArrival>[1]) => showArrival(output, arrival);
  const server = await serveDeliveries({ port, verify, forwardTo, report });
  const stopped = new AbortController();
  const ended = AbortSignal.any([signal, stopped.signal]);
  try {
    const id = await register(sandbox, {
      url: `${server.origin}/`,
      secret: secret.reveal(),
      enabled_events: input.options["events"] ?? ["*"],
    });
    output.note(`Listener  ${server.origin}`);
    output.note(
      `Receiver  ${forwardTo === undefined ? "none: every delivery is accepted" : shownUrl(forwardTo)}`,
    );
    output.note(`Secret    ${secretText(given, secret, reveal)}`);
    output.note("Press Ctrl-C to stop it.");
    try {
      await Promise.race([server.until(ended), watch(sandbox, id, ended)]);
    } finally {
      stopped.abort(ENDED);
      await unregister(sandbox, id);
    }
  } finally {
    await server.close();
  }
};

function secretText(given: Secret | undefined, secret: Secret, reveal: boolean): string {
  if (given !== undefined) return "yours";
  // The secret is only for this listener, and ends with it.
  return reveal ? secret.reveal() : "new; show it with --reveal, or set FIELDMESH_WEBHOOK_SECRET";
}

async function register({ call }: Controls, body: object): Promise<string> {
  // Not ended by Ctrl-C, which could leave an endpoint that no command removes.
  const value = await call("POST", "/webhooks/endpoints", {
    body,
    signal: AbortSignal.timeout(LONGEST_WAIT),
  });
  if (isRecord(value) && typeof value["id"] === "string") return value["id"];
  throw notASandbox();
}

async function unregister({ call }: Controls, id: string): Promise<void> {
  try {
    // Ctrl-C has aborted the signal of the context.
    await call("DELETE", `/webhooks/endpoints/${id}`, {
      signal: AbortSignal.timeout(LONGEST_GOODBYE),
    });
  } catch {
    // The sandbox may have ended, and its endpoints with it.
  }
}

const LONGEST_GOODBYE = 2_000;
const BETWEEN_LOOKS = 1_000;

/** Throws when the sandbox has ended or was reset, because no more deliveries would arrive. Resolves when the command ends. */
async function watch({ origin, call }: Controls, id: string, ended: AbortSignal): Promise<void> {
  try {
    for (;;) {
      await sleep(BETWEEN_LOOKS, undefined, { signal: ended });
      const endpoints = await call("GET", "/webhooks/endpoints", { signal: ended });
      if (!readList(endpoints).some((endpoint) => endpoint["id"] === id))
        throw new CommandError(`The sandbox at ${origin} was restarted. Run listen again.`);
    }
  } catch (error) {
    if (!ended.aborted) throw error;
  }
}
