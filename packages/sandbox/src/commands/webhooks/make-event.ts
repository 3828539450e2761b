import { isRecord } from "@fieldmesh/core/internal";
import { EventParseError } from "@fieldmesh/webhook-types/parse";
import { sampleEvent } from "@fieldmesh/webhook-types/samples";
import { isKnown, unknownType } from "../../engine/webhooks/sampled-event.ts";
import { UsageError } from "../command-error.ts";
import { type CommandInput, textOf } from "../command.ts";
import { jsonOrUndefined } from "../read-stream.ts";

/** Reads the type and the data of the event to create. Without `--unknown`, rejects a type that is not in the catalog. */
export function readEvent(input: CommandInput): { type: string; overrides: object } {
  const [type = ""] = input.arguments;
  if (input.options["unknown"] !== true && !isKnown(type))
    throw new UsageError(unknownType(type, "`events --types`", "--unknown"));
  return { type, overrides: readData(textOf(input, "data")) };
}

/** Creates an event with a new id and the current time. */
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
    if (error instanceof EventParseError)
      throw new UsageError(`--data does not match the type: ${error.message}`);
    throw error;
  }
}

export function newId(prefix: string): string {
  return `${prefix}_${crypto.randomUUID().replaceAll("-", "")}`;
}

function readData(text: string | undefined): object {
  if (text === undefined) return {};
  const value = jsonOrUndefined(text);
  if (isRecord(value)) return { data: value };
  throw new UsageError(`--data needs a JSON object, such as '{"object":{"id":"sim_1"}}'.`);
}
