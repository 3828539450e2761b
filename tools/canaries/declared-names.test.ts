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

const EVENT = "the event";
// A declared field follows its schema. The ledger is public.
const SCHEMAS: readonly (readonly [owner: string, schema: Schema])[] = [
  ...rows
    .filter(({ service }) => service.name !== "ledger")
    .flatMap(({ call, row }) =>
      [responseSchema(row), z.object(row.path), z.object(row.query), row.body ?? z.object({})].map(
        (schema) => [call, schema] as const,
      ),
    ),
  ...eventTypes.map((type) => [`${EVENT} ${type}`, eventSchema(type)] as const),
  ["ConsoleUplink", ConsoleUplink],
];

test("each declared field whose name is on the list is marked as secret or personal", () => {
  const fields = SCHEMAS.flatMap(([owner, schema]) =>
    listedIn(schema, owner.startsWith(EVENT)).map((field) => ({
      ...field,
      place: `${field.name} of ${owner}`,
    })),
  );
  expect(
    fields.filter(({ isMarked }) => !isMarked).map(({ place }) => place),
    'mark the field in its schema: secret(), or sensitive("personal", …). If everybody may see it, its name is an exception in packages/core/src/secret-names.ts',
  ).toEqual([]);
  const marked = fields.filter(({ isMarked }) => isMarked).map(({ name }) => name);
  expect(marked).toEqual(expect.arrayContaining(["app_key", "card_last4", "token", "msisdn"]));
});

interface Listed {
  readonly name: string;
  readonly isMarked: boolean;
}

/** Returns the fields of a schema, at any depth, that the list names. A part that is marked marks all that is in it. */
function listedIn(schema: Schema, hasCode: boolean, name = "", isMarked = false): Listed[] {
  const marked = isMarked || isSensitive(schema);
  const parts = partsOf(schema);
  const below = parts.flatMap(([step, part]) =>
    listedIn(part, hasCode, step.startsWith(".") ? step.slice(1) : name, marked),
  );
  // In an event, a code that people enter: one that means something has an exception.
  return parts.length === 0 && kindOfName(name, { hasCode }) !== undefined
    ? [{ name, isMarked: marked }]
    : below;
}

function isSensitive(schema: Schema): boolean {
  if (sensitiveFields.get(schema)?.sensitivity !== undefined) return true;
  const inner = unwrap(schema);
  const { def } = schema._zod as z.core.$ZodTypes["_zod"];
  return inner !== schema && "innerType" in def && isSensitive(def.innerType);
}
