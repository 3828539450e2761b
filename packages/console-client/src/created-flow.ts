import * as z from "@fieldmesh/core/internal/zod";
import { record, seen, shown } from "@fieldmesh/core/internal/schema";
import { isRecord, parseJson } from "@fieldmesh/core/internal";
import { Integration } from "./integration.ts";

const createdFlowFields = record({
  /** The console's confirmation message. */
  message: shown(z.string()),
  /** The integration with its links; `undefined` if the deployment returns only a message (observed). */
  integration: seen(z.optional(Integration)),
});

/** The result of creating a flow. */
export interface CreatedFlow extends z.output<typeof createdFlowFields> {}

// A string, a record, a list of both, or a string that ends with the record: the spec only says "text plus object".
export const CreatedFlow: z.core.$ZodType<
  CreatedFlow,
  string | Readonly<Record<string, unknown>> | readonly unknown[]
> = z.codec(
  z.custom<z.input<typeof CreatedFlow>>(isUnderstood, "expected a message and an integration"),
  createdFlowFields,
  {
    decode: (wire) => readParts(wire),
    encode: ({ message, integration }) => ({
      ...(message !== undefined && { message }),
      ...integration,
    }),
  },
) as never;

/** The spec shows a message and an object: an empty response, a number or a list of other things is neither. */
function isUnderstood(wire: unknown): boolean {
  if (!Array.isArray(wire)) return isPart(wire);
  const hasTwoOfAKind = new Set(wire.map((part) => typeof part)).size < wire.length;
  return wire.length > 0 && !hasTwoOfAKind && wire.every(isPart);
}

function isPart(wire: unknown): boolean {
  if (typeof wire === "string") return true;
  return isRecord(wire) && Object.keys(wire).length > 0;
}

function readParts(wire: unknown): z.input<typeof createdFlowFields> {
  if (Array.isArray(wire))
    return Object.assign({}, ...wire.map(readParts)) as z.input<typeof createdFlowFields>;
  if (typeof wire === "string") return readText(wire);
  const { message, ...rest } = wire as Record<string, unknown>;
  return {
    ...(typeof message === "string" && { message }),
    ...("id" in rest ? { integration: rest as z.input<typeof Integration> } : rest),
  };
}

function readText(text: string): z.input<typeof createdFlowFields> {
  const brace = text.indexOf("{");
  const message = (brace === -1 ? text : text.slice(0, brace)).trim();
  const said = message === "" ? {} : { message };
  if (brace === -1) return said;
  try {
    return { ...readParts(parseJson(text.slice(brace))), ...said };
  } catch {
    return { message: text.trim() };
  }
}
