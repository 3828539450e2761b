import * as z from "zod";
import { stringifyJson } from "@fieldmesh/core";
import { redact, type WhyHidden } from "@fieldmesh/core/internal/schema";
import { kindOf, responseSchema } from "@fieldmesh/http/internal";
import type { SampledRow } from "../../packages/sandbox/src/engine/serve/with-samples.ts";

/** Returns the response of a server to the sample of a row. */
export function sampleResponse(row: SampledRow): { status: number; body: string } {
  const { output } = row.sample;
  return {
    status: row.status,
    body: kindOf(row.result) === "text" ? String(output) : stringifyJson(output),
  };
}

/** Returns the strings of a sample's input that its schemas mark as secret. */
export function secretsSent({ path, query, body, sample }: SampledRow): string[] {
  const hidden: string[] = [];
  const collect = (text: string, why: WhyHidden): unknown =>
    why === "sensitive" && hidden.push(text);
  for (const schema of [z.object(path), z.object(query)]) redact(schema, sample.input, collect);
  // A body has the fields that are neither in the path nor in the query. An open body would also hide their ids.
  const rest = Object.entries(sample.input).filter(([key]) => !(key in path) && !(key in query));
  if (body !== undefined) redact(body, Object.fromEntries(rest), collect);
  return hidden;
}

/** Returns the secret strings of a sample's output, without those that the input does not hide. */
export function secretsReceived(row: SampledRow): string[] {
  const hidden: string[] = [];
  if (kindOf(row.result) !== "text")
    redact(
      responseSchema(row),
      row.sample.output,
      (text, why) => why === "sensitive" && hidden.push(text),
    );
  const open = JSON.stringify(redact(row.body, row.sample.input));
  return hidden.filter((text) => !open.includes(text));
}
