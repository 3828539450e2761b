import { isRecord, nearest, parseJson } from "@fieldmesh/core";
import { eventTypes, type EventType } from "@fieldmesh/webhook-types";
import { isEventParseError } from "@fieldmesh/webhook-types/parse";
import { sampleEvent } from "@fieldmesh/webhook-types/samples";
import { UsageError } from "../command-error.ts";
import { type CommandInput } from "../command.ts";
import { textOf } from "../read-input.ts";

/** Reads the type and the data of the event to make; rejects a type that is not in the catalog, unless `--unknown` insists on it. */
export function readEvent(input: CommandInput): { type: string; overrides: object } {
  const [type = ""] = input.arguments;
  if (input.options["unknown"] !== true && !isKnown(type)) {
    const meant = nearest(type, eventTypes);
    const advice =
      meant === undefined ? "`events --types` lists them." : `Did you mean "${meant}"?`;
    throw new UsageError(
      `${JSON.stringify(type)} is not an event type. ${advice} Add --unknown to send it anyway.`,
    );
  }
  return { type, overrides: readData(textOf(input, "data")) };
}

/** Makes an event with an id and a time of its own. */
export function makeEvent(type: string, overrides: { readonly data?: object }): object {
  const envelope = {
    id: newId("evt"),
    created_at: new Date().toISOString(),
    idempotency_key: newId("idem"),
    ...overrides,
  };
  if (!isKnown(type))
    return { livemode: false, ...envelope, type, data: { object: {}, ...overrides.data } };
  try {
    return sampleEvent(type, envelope as never);
  } catch (error) {
    if (isEventParseError(error))
      throw new UsageError(`--data does not match the type: ${error.message}`);
    throw error;
  }
}

/** A new id, such as `evt_5f0c…`. */
export function newId(prefix: string): string {
  return `${prefix}_${crypto.randomUUID().replaceAll("-", "")}`;
}

function readData(text: string | undefined): object {
  if (text === undefined) return {};
  try {
    const value = parseJson(text);
    if (isRecord(value)) return { data: value };
  } catch {
    // The error below does not have the string, because that may hold a code.
  }
  throw new UsageError(`--data needs a JSON object, such as '{"object":{"id":"sim_1"}}'.`);
}

export function isKnown(type: string): type is EventType {
  return (eventTypes as readonly string[]).includes(type);
}
