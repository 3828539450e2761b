import { expect, test } from "vitest";
import { fieldsOf, readField, writeField } from "./schema-form.ts";

const form = {
  schema: {
    type: "object",
    properties: {
      object: {
        type: "object",
        properties: {
          id: { type: "string" },
          state: {
            anyOf: [{ enum: ["active", "suspended"] }, { type: "string" }, { type: "null" }],
          },
          kind: { type: "string", const: "sim" },
          boost_mb: { anyOf: [{ type: "integer" }, { type: "null" }] },
          roaming: { type: "boolean" },
          metadata: { type: "object" },
        },
      },
    },
  },
  data: { object: { id: "sim_1", extra: "from the sample" } },
};

test("each field of the schema and of the sample has an input for its type", () => {
  const fields = fieldsOf(form).map(({ name, kind, choices, isOpen }) => [
    name,
    kind,
    choices,
    isOpen,
  ]);
  expect(fields).toEqual([
    ["id", "string", [], true],
    ["extra", "string", [], true],
    ["state", "string", ["active", "suspended"], true],
    ["kind", "string", ["sim"], false],
    ["boost_mb", "number", [], true],
    ["roaming", "boolean", ["true", "false"], false],
    ["metadata", "json", [], true],
  ]);
});

test("fields are read and written, and an empty one is omitted", () => {
  const [id, , , , boost, roaming, metadata] = fieldsOf(form);
  const { data } = form;
  expect(readField(data, id!)).toBe("sim_1");
  expect(readField(data, boost!)).toBe("");
  expect(writeField(data, id!, "7")).toMatchObject({ object: { id: "7" } });
  expect(writeField(data, id!, "")).toEqual({ object: { extra: "from the sample" } });
  expect(writeField(data, boost!, "12345678901234567890")).toMatchObject({
    object: { boost_mb: 12345678901234567890n },
  });
  expect(writeField(data, roaming!, "true")).toMatchObject({ object: { roaming: true } });
  expect(writeField(data, metadata!, '{"note":1}')).toMatchObject({
    object: { metadata: { note: 1 } },
  });
  expect(writeField(data, metadata!, "not JSON")).toMatchObject({
    object: { metadata: "not JSON" },
  });
});
