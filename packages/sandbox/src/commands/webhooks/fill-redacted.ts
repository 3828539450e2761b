import { isRecord, parseJson, stringifyJson } from "@fieldmesh/core/internal";
import { sampleEvent } from "@fieldmesh/webhook-types/samples";
import { isKnown } from "../../engine/webhooks/sampled-event.ts";
import type { RecordedEvent } from "./recording.ts";

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
