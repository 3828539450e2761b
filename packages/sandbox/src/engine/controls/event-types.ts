import * as z from "zod/mini";
import { parseJson, stringifyJson, mistake } from "@fieldmesh/core/internal";
import { earlierEventTypes, eventTypes } from "@fieldmesh/webhook-types";
import { eventSchema } from "@fieldmesh/webhook-types/parse";
import { sampleEvent } from "@fieldmesh/webhook-types/samples";
import type { EventForm } from "./wire.ts";

const earlier: ReadonlySet<string> = new Set(earlierEventTypes);

/** Returns every type. An earlier one is in an older catalog only. */
export function listEventTypes(): readonly { readonly type: string; readonly earlier: boolean }[] {
  return eventTypes.map((type) => ({ type, earlier: earlier.has(type) }));
}

/** Returns the schema and the sample of a type. Throws a TypeError for an unknown one. */
export function formOf(name: string): EventForm {
  const type = eventTypes.find((each) => each === name);
  if (type === undefined) throw mistake("There is no such event type.");
  const { properties = {} } = z.toJSONSchema(eventSchema(type), {
    target: "draft-2020-12",
    io: "input",
    // A codec that reads any value.
    unrepresentable: "any",
  });
  const sample = parseJson(stringifyJson(sampleEvent(type), { reveal: true })) as { data: unknown };
  return { type, schema: properties["data"] as object, data: sample.data };
}
