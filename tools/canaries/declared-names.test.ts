import { expect, test } from "vitest";
import { kindOfName } from "../../packages/core/src/internal.ts";
import { sensitiveFields, unwrap } from "../../packages/core/src/schema/index.ts";
import * as z from "../../packages/core/src/zod.ts";
import { responseSchema } from "../../packages/http/src/internal.ts";
import { ConsoleUplink } from "../../packages/mapper-client/src/uplink.ts";
import { rows } from "../testing/services.ts";
import { eventTypes } from "../../packages/webhook-types/src/index.ts";
import { eventSchema } from "../../packages/webhook-types/src/parse/index.ts";
import { partsOf } from "./places.ts";

type Schema = z.core.$ZodType;

// A declared field follows its schema. The ledger is public.
const SCHEMAS: readonly Schema[] = [
  ...rows
    .filter(({ service }) => service.name !== "ledger")
    .flatMap(({ row }) => [
      responseSchema(row),
      z.object(row.path),
      z.object(row.query),
      ...(row.body === undefined ? [] : [row.body]),
    ]),
  ...eventTypes.map(eventSchema),
  ConsoleUplink,
];

test("each declared field whose name is on the list is marked as secret or personal", () => {
  const fields = SCHEMAS.flatMap((schema) => listedIn(schema));
  const names = (isMarked: boolean) =>
    [
      ...new Set(fields.filter((field) => field.isMarked === isMarked).map(({ name }) => name)),
    ].sort();
  // Mark the field: `secret()`, or `sensitive("personal", …)`. If everybody may see it, its name is an exception in secret-names.ts.
  expect(names(false)).toEqual([]);
  expect(names(true)).toEqual(expect.arrayContaining(["app_key", "card_last4", "token", "msisdn"]));
});

interface Listed {
  readonly name: string;
  readonly isMarked: boolean;
}

/** Returns the fields of a schema, at any depth, that the list names. A part that is marked marks all that is in it. */
function listedIn(schema: Schema, name = "", isMarked = false): Listed[] {
  const marked = isMarked || isSensitive(schema);
  const parts = partsOf(schema);
  const below = parts.flatMap(([step, part]) =>
    listedIn(part, step.startsWith(".") ? step.slice(1) : name, marked),
  );
  return parts.length === 0 && kindOfName(name) !== undefined
    ? [{ name, isMarked: marked }]
    : below;
}

function isSensitive(schema: Schema): boolean {
  if (sensitiveFields.get(schema)?.sensitivity !== undefined) return true;
  const inner = unwrap(schema);
  const { def } = schema._zod as z.core.$ZodTypes["_zod"];
  return inner !== schema && "innerType" in def && isSensitive(def.innerType);
}
