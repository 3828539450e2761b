import { type CommandContext, type CommandInput, type RunCommand, textOf } from "../command.ts";
import { CommandError, UsageError } from "../command-error.ts";
import { readLocalUrl, readSecret } from "../read-input.ts";
import { hasFailed } from "../../engine/webhooks/has-failed.ts";
import { shownUrl } from "../../engine/webhooks/shown-url.ts";
import { findSandbox, readDeliveries, readDelivery } from "./controls.ts";
import { deliveryRecord, describeDelivery, printable } from "./describe-delivery.ts";
import { newId } from "./make-event.ts";
import { post, postRecord } from "./send-request.ts";
import { readRecording, type RecordedEvent } from "./recording.ts";
import { isRecord, parseJson, stringifyJson } from "@fieldmesh/core/internal";
import { sampleEvent } from "@fieldmesh/webhook-types/samples";
import { isKnown } from "../../engine/webhooks/sampled-event.ts";

export const run: RunCommand = async (context, input) => {
  const path = textOf(input, "from");
  const results =
    path === undefined
      ? await replaySandbox(context, input)
      : await replayRecording(context, input, path);
  const failed = results.filter((isAccepted) => !isAccepted).length;
  if (failed > 0)
    throw new CommandError(`${failed} of ${results.length} deliveries were not accepted.`);
};

/** Returns for each delivery whether it was accepted. */
async function replaySandbox(context: CommandContext, input: CommandInput): Promise<boolean[]> {
  const [id] = input.arguments;
  const isOfFailed = input.options["failed"] === true;
  if ((id === undefined) !== isOfFailed)
    throw new UsageError(
      "replay needs either the id of an event or a delivery, or --failed; `events` lists them.",
    );
  const { output } = context;
  const { call } = findSandbox(context, input);
  const all = readDeliveries(await call("GET", "/webhooks/deliveries"));
  const wanted = all.filter(
    (each) => each.id === id || each.event_id === id || (isOfFailed && hasFailed(each)),
  );
  if (isOfFailed && wanted.length === 0) output.note("No delivery has failed.");
  if (id !== undefined && wanted.length === 0)
    throw new UsageError("The sandbox has no delivery of this id; `events` lists them.");
  const results: boolean[] = [];
  for (const delivery of wanted) {
    const result = readDelivery(
      await call("POST", `/webhooks/deliveries/${delivery.id}/replay`, { body: {} }),
    );
    results.push(result.attempts.at(-1)?.outcome === "accepted");
    if (output.isJson) await output.records([deliveryRecord(result)]);
    else await output.line(`${printable(result.type)}  ${describeDelivery(result)}`);
  }
  return results;
}

async function replayRecording(
  context: CommandContext,
  input: CommandInput,
  path: string,
): Promise<boolean[]> {
  const { output, signal } = context;
  const [id] = input.arguments;
  const url = readLocalUrl("to", textOf(input, "to"));
  const { deliveries, skipped } = await readRecording(path, signal);
  if (skipped > 0) output.note(`${skipped} lines of ${path} are not deliveries and were left out.`);
  const wanted = deliveries.filter(({ event }) => id === undefined || event.id === id);
  if (wanted.length === 0)
    throw new UsageError(
      id === undefined ? `${path} has no delivery.` : `${path} has no event of this id.`,
    );
  const secret = await readSecret(context, input);
  output.note(`Receiver  ${shownUrl(url)}`);
  const results: boolean[] = [];
  for (const { event: recorded } of wanted) {
    const event = { ...fillRedacted(recorded), ...(input.options["newIds"] && freshIds()) };
    const posted = await post(event, { url, secret, signal });
    results.push(posted.isAccepted);
    const { id: sent, type } = { ...recorded, ...event };
    if (output.isJson)
      await output.records([{ id: sent, type, url: shownUrl(url), ...postRecord(posted) }]);
    else
      await output.line(
        printable(`${type}  ${sent}  responded ${posted.status} ${posted.outcome}`).trimEnd(),
      );
  }
  return results;
}

/** A receiver with a store skips an event if it has handled its id. */
function freshIds() {
  return { id: newId("evt"), idempotency_key: newId("idem") };
}

const REDACTED = "[redacted]";

/** Replaces redacted values with those of the sample, where a receiver expects an address; data of unknown types is empty. */
export function fillRedacted(event: RecordedEvent): object {
  const { type } = event;
  if (!isKnown(type)) return { ...event, data: { object: {} } };
  const sample = parseJson(stringifyJson(sampleEvent(type), { reveal: true }));
  return fill(event, sample) as object;
}

function fill(value: unknown, sample: unknown): unknown {
  if (value === REDACTED) return sample ?? value;
  if (Array.isArray(value)) {
    const [item] = Array.isArray(sample) ? (sample as unknown[]) : [];
    return value.map((each) => fill(each, item));
  }
  if (!isRecord(value)) return value;
  const own = isRecord(sample) ? sample : {};
  return Object.fromEntries(
    Object.entries(value).map(([name, each]) => [name, fill(each, own[name])]),
  );
}
