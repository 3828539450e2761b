import { stringifyJson } from "@fieldmesh/core";
import { kindOf } from "@fieldmesh/http/internal";
import { type Service, services } from "@fieldmesh/sandbox/internal/services";
import type ts from "typescript";
import type * as z from "zod";
import type { Files } from "../../tools/files.ts";
import { descriptionText, optionText, summaryText } from "./command-texts.ts";
import { createSchemaWriter, isRequired, type SchemaWriter } from "./json-schema.ts";
import type { CommandField, Kind, RowCommand } from "./row-command.ts";
import { type Row, rowsOf } from "./operations.ts";
import type { Json } from "./shapes.ts";
import { endpointsFile, readSourceTypes, type SourceTypes } from "./source-types.ts";

/** Makes the commands of all rows, as the file that the command line reads. */
export function generateCommands(): Files {
  const rows = stringifyJson(writeCommands(readSourceTypes()), { space: 1 });
  return new Map([["packages/cli/src/generated/rows.json", `${rows}\n`]]);
}

/** Makes a command of every row, by service, and a line of help for each resource. */
export function writeCommands(types: SourceTypes) {
  return Object.fromEntries(
    services.map((service) => {
      const rows = rowsOf(service, types);
      const groups = Object.keys(service.tables)
        .filter((resource) => resource !== service.name)
        .map((resource) => [
          `${service.name} ${kebab(resource)}`,
          (types.textOfTable(endpointsFile(service.package), resource) ?? resource).replace(
            /\.$/,
            "",
          ),
        ]);
      const commands = rows.map((row) => writeCommand(row, service, types));
      return [service.name, { groups: Object.fromEntries(groups), commands }];
    }),
  );
}

function writeCommand(row: Row, service: Service, types: SourceTypes): RowCommand {
  const { endpoint, resource, call, text } = row;
  const [, name = ""] = call.split(".");
  // The mapper's one method belongs to the client itself.
  const words = resource === service.name ? [name] : [resource, name];
  const paged = kindOf(endpoint.result) === "page";
  const { fields, open } = fieldsOf(row, createSchemaWriter(types, ""));
  const description = descriptionText(text.description ?? "");
  const facts = {
    path: [service.name, ...words.map(kebab)].join(" "),
    summary: summaryText(text.description ?? call),
    ...(description !== "" && { description }),
    ...(!endpoint.route.startsWith("GET ") && { writes: true }),
    ...(paged && { paged }),
    ...((paged || returnsList(row)) && { list: true }),
    ...(open && { open }),
    ...(endpoint.mayBeAbsent && { absent: absentText(resource, Object.keys(endpoint.query)) }),
    fields,
  };
  return { ...facts, example: exampleOf(facts, endpoint.sample.input as Json) };
}

/** Such as "no label has this name". */
function absentText(resource: string, names: readonly string[]): string {
  const fields = new Intl.ListFormat("en", { type: "conjunction" }).format(names);
  return `no ${resource.replace(/s$/, "")} has ${names.length === 1 ? "this" : "these"} ${fields}`;
}

function returnsList({ endpoint: { result } }: Row): boolean {
  const schema = "kind" in result ? ("schema" in result ? result.schema : undefined) : result;
  return schema !== undefined && unwrap(schema)._zod.def.type === "array";
}

function unwrap(schema: z.core.$ZodType): z.core.$ZodType {
  const def = schema._zod.def as z.core.$ZodTypes["_zod"]["def"];
  if (def.type === "pipe") return unwrap(def.out);
  return "innerType" in def ? unwrap(def.innerType) : schema;
}

function fieldsOf(row: Row, writer: SchemaWriter) {
  const { endpoint, input, wireInput } = row;
  const around = Object.entries({ ...endpoint.path, ...endpoint.query })
    // Pages are walked.
    .filter(([name]) => name !== "cursor")
    .map(([name, schema]) => {
      const shape = writer.write(schema, { type: writer.types.field(input, name) }, "none");
      return writeField(row, name, shape, isRequired(schema), writer.types);
    });
  if (endpoint.body === undefined) return { fields: around, open: false };
  const body = writer.write(endpoint.body, { type: input, wire: wireInput }, "request");
  const forms = formsOf(body, writer);
  const names = new Set(forms.flatMap(({ properties = {} }) => Object.keys(properties)));
  const inside = [...names].map((name) => {
    const form = forms.find(({ properties = {} }) => name in properties);
    const required = forms.every((each) => each.required?.includes(name));
    return writeField(row, name, form?.properties?.[name] ?? {}, required, writer.types);
  });
  // Where a part is in no option, all of it comes in a file.
  const isNested = forms.every(({ required = [] }) =>
    inside.some((field) => required.includes(field.name) && isInFile(field)),
  );
  return {
    fields: [
      ...around,
      ...inside
        // The row says it itself.
        .filter(({ choices }) => choices?.length !== 1)
        .map((field) => (isNested ? withoutOption(field) : field)),
    ],
    open: forms.every(({ additionalProperties }) => additionalProperties !== false),
  };
}

function isInFile({ kind, secret }: CommandField): boolean {
  return kind === undefined && secret !== true;
}

function withoutOption({ name, description, required }: CommandField): CommandField {
  return { name, description, ...(required && { required }) };
}

interface Form {
  readonly properties?: Readonly<Record<string, Json>>;
  readonly required?: readonly string[];
  readonly additionalProperties?: unknown;
}

/** The forms that a body may have; most have one. */
function formsOf(shape: Json, writer: SchemaWriter): readonly Form[] {
  const { $ref, anyOf } = shape as { $ref?: string; anyOf?: readonly Json[] };
  if ($ref !== undefined) return formsOf(writer.components.get($ref) ?? {}, writer);
  return anyOf === undefined ? [shape as Form] : anyOf.flatMap((each) => formsOf(each, writer));
}

function writeField(
  { input }: Row,
  name: string,
  shape: Json & { readonly description?: string },
  required: boolean,
  types: SourceTypes,
): CommandField {
  const { description = "", fallback } = types.textOfField(input, name);
  const text = optionText(shape.description ?? description, fallback);
  const field = { name, description: text, ...(required && { required }) };
  if (shape["x-sensitivity"] === "secret") return { ...field, secret: true };
  const kind = kindOfField(shape, types.field(input, name), types);
  if (kind === undefined) return field;
  // Deployments may accept other values than the observed ones.
  const isObserved = text.includes("(observed)");
  const choices =
    kind === "boolean" ? ["true", "false"] : isObserved ? undefined : choicesOf(shape);
  return {
    ...field,
    kind,
    ...(choices !== undefined && { choices }),
    ...(typesOf(shape).includes("null") && { nullable: true }),
  };
}

function choicesOf(shape: Json): readonly string[] | undefined {
  if ("const" in shape) return [String(shape["const"])];
  return shape["enum"] as readonly string[] | undefined;
}

/** A value of any other kind comes in a file. */
function kindOfField(shape: Json, type: ts.Type | undefined, types: SourceTypes): Kind | undefined {
  const plain = typesOf(shape).find((each) => each !== "null");
  if (plain === "array") {
    const [item] = typesOf(shape["items"] as Json);
    return item === "string" ? "strings" : undefined;
  }
  // The ledger has lists with commas between, where the caller has an array.
  if (plain === "string") return isList(type, types) ? "strings" : "string";
  if (plain === "integer" || plain === "number" || plain === "boolean") return plain;
  // No schema checks it, so TypeScript alone knows it.
  const primitives = new Set(types.members(type).map((member) => types.primitiveOf(member)));
  const [only] = primitives;
  return primitives.size === 1 ? only : undefined;
}

function isList(type: ts.Type | undefined, types: SourceTypes): boolean {
  return types
    .members(type)
    .some(
      (member) => types.primitiveOf(member) === undefined && types.element(member) !== undefined,
    );
}

function typesOf({ type = [] }: Json): readonly string[] {
  return [type].flat() as string[];
}

/** Writes the command line of the row's sample. */
function exampleOf({ path, fields }: Omit<RowCommand, "example">, sample: Json): string {
  const options = fields.flatMap(({ name, kind }) => {
    const value = sample[name] as string | number | boolean | null | undefined;
    if (kind === undefined || value === undefined) return [];
    const values = kind === "strings" ? `${value}`.split(",") : [`${value}`];
    return values.map((each) => `--${kebab(name)} ${quoted(each)}`);
  });
  const needsFile = options.length === 0 && Object.keys(sample).length > 0;
  const own = needsFile ? [`--input ${path.split(" ").at(-2) ?? "input"}.json`] : options;
  return [path, ...own].join(" ");
}

function quoted(value: string): string {
  return /^[\w.:@/-]+$/.test(value) && !value.startsWith("-") ? value : `"${value}"`;
}

/** `activityCount` and `app_eui` as they are typed: `activity-count`, `app-eui`. */
function kebab(name: string): string {
  return name
    .replace(/_/g, "-")
    .replace(/(?<=[a-z\d])[A-Z]/g, (letter) => `-${letter}`)
    .toLowerCase();
}
