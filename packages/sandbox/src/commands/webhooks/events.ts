import { stringifyJson } from "@fieldmesh/core/internal";
import { currentEventTypes } from "@fieldmesh/webhook-types";
import { redactEvent } from "@fieldmesh/webhook-types/parse";
import {
  describeMatches,
  filterRecords,
  idsOf,
  searchEvent,
} from "../../engine/controls/filter.ts";
import type { StoredEvent } from "../../engine/webhooks/event-copies.ts";
import type { CommandOutput, RunCommand } from "../command.ts";
import { findSandbox, readDeliveries, readList } from "./controls.ts";
import { deliveryRecord, describeDelivery, printable } from "./describe-delivery.ts";

export const run: RunCommand = async (context, input) => {
  const { output } = context;
  const [words = ""] = input.arguments;
  if (input.options["types"] === true) {
    const types = currentEventTypes.map((type) => ({ type }));
    const filtered = filterRecords(types, words, (fields) => ({ fields }));
    noteMatches(output, filtered, `${types.length} types`);
    return output.records(filtered.found, ["type"]);
  }
  const { call } = findSandbox(context, input);
  const stored = readList(await call("GET", "/webhooks/events")) as unknown as StoredEvent[];
  const deliveries = readDeliveries(await call("GET", "/webhooks/deliveries"));
  if (stored.length === 0) output.note("The sandbox has no events yet. `trigger` creates one.");
  const events = stored.map((event) => ({
    event,
    shown: () => redactEvent(event) as object,
    own: deliveries.filter(({ event_id }) => event_id === event.id),
  }));
  const filtered = filterRecords(events, words, ({ event, shown, own }) => ({
    ...searchEvent({ ...event, ids: idsOf(event.data) }, own),
    inside: (word) => (stringifyJson(shown()).toLowerCase().includes(word) ? ["body"] : []),
  }));
  noteMatches(output, filtered, `${events.length} events`);
  for (const { event, shown, own } of filtered.found) {
    if (output.isJson) {
      await output.records([{ ...shown(), deliveries: own.map(deliveryRecord) }]);
      continue;
    }
    await output.line(printable(`${event.created_at}  ${event.type}  ${event.id}`));
    for (const delivery of own) await output.line(`  ${describeDelivery(delivery)}`);
  }
};

/** Says how many of all records fit, and what each word of the filter has matched. */
function noteMatches(
  output: CommandOutput,
  { found, matches }: ReturnType<typeof filterRecords>,
  all: string,
): void {
  if (matches.length > 0)
    output.note(printable(`Filter   ${found.length} of ${all}: ${describeMatches(matches)}`));
}
