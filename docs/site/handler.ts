import type { EventDocument } from "../documents/events.ts";
import type { Json } from "../documents/shapes.ts";
import { fieldsOf, type LinkTo } from "./field-table.ts";

const MOST_FIELDS = 3;
/** Most samples have these: a field that only this type has comes first. */
const COMMON = new Set(["id", "metadata"]);

/** Returns the source of a router that handles one event type, and reads the fields that its sample has. */
export function handlerOf({ type, text, sample }: EventDocument, data: Json, link: LinkTo): string {
  const { object, previous_attributes: before } = (sample as { data: SampleData }).data;
  const declared = new Map(fieldsOf(data, link).map(({ path, schema }) => [path, schema]));
  const isShown = (path: string, value: unknown): boolean => {
    const schema = declared.get(path);
    return schema !== undefined && !isSensitive(schema, link) && isScalar(value);
  };
  const description = text.description ?? "";
  const rank = (name: string): number =>
    (declared.has(name) ? 4 : 0) +
    (description.includes(`\`${name}\``) ? 2 : 0) -
    (COMMON.has(name) ? 1 : 0);
  const names = Object.keys(object)
    .filter((name) => name !== "object" && isShown(`object.${name}`, object[name]))
    .sort((a, b) => rank(b) - rank(a))
    .slice(0, MOST_FIELDS);
  const changed = isRequired(data, "previous_attributes")
    ? Object.keys(before ?? {}).find((name) =>
        isShown(`previous_attributes.${name}`, before?.[name]),
      )
    : undefined;
  // The spec names the field and not its place.
  const placeless = names.filter((name) => declared.has(name));
  const read = names.filter((name) => !placeless.includes(name));
  const values = [
    "event.id",
    ...(changed === undefined ? [] : [`previous_attributes.${changed}`]),
    ...read.map((name) => `object.${name}`),
    ...placeless.map((name) => `fieldOf(event, "${name}")`),
  ];
  const parts = [
    ...(read.length > 0 ? ["object"] : []),
    ...(changed ? ["previous_attributes"] : []),
  ];
  return `${placeless.length > 0 ? 'import { fieldOf } from "@fieldmesh/webhook-types";\n' : ""}import { createEventRouter } from "@fieldmesh/webhook-types/router";

export const router = createEventRouter({
  "${type}": (event) => {
${parts.length === 0 ? "" : `    const { ${parts.join(", ")} } = event.data;\n`}    ${callOf("console.log", values)};
  },
});`;
}

interface SampleData {
  readonly object: Json;
  readonly previous_attributes?: Json;
}

const LONGEST_LINE = 72;

/** Returns a call, with a line for each argument if they do not fit on one. */
function callOf(name: string, values: readonly string[]): string {
  const line = `${name}(${values.join(", ")})`;
  if (line.length <= LONGEST_LINE) return line;
  return `${name}(\n${values.map((value) => `      ${value},\n`).join("")}    )`;
}

function isRequired(schema: Json, name: string): boolean {
  return ((schema["required"] ?? []) as string[]).includes(name);
}

function isScalar(value: unknown): boolean {
  return ["string", "number", "boolean"].includes(typeof value);
}

/** Tells whether a field is a secret or personal data, which no sample prints. */
function isSensitive(schema: Json, link: LinkTo): boolean {
  const target = "$ref" in schema ? link(String(schema["$ref"]).replace(/.*\//, "")) : schema;
  if (typeof target === "string") return false;
  const members = (target["anyOf"] ?? []) as Json[];
  return "x-sensitivity" in target || members.some((member) => isSensitive(member, link));
}
