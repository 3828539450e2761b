import { stringifyJson } from "@fieldmesh/core";
import type { Service } from "@fieldmesh/sandbox/internal/services";
import type { Row } from "../documents/operations.ts";
import type { Json } from "../documents/shapes.ts";
import type { SourceTypes } from "../documents/source-types.ts";
import { curl } from "./curl.ts";
import { describeType, fieldTable, typeCell, type LinkTo } from "./field-table.ts";
import { cell, fence, mark, page, prose, stringField, table } from "./markdown.ts";
import { programOf } from "./program.ts";

/** Where the records of an operation are. */
export const RECORDS = "#/components/schemas/";

/** A row, and the operation that the documents for machines have for it. */
export interface Entry {
  readonly row: Row;
  readonly operation: Json;
}

/** What the pages of a service are written from. */
export interface Reference {
  readonly service: Service;
  readonly types: SourceTypes;
  readonly resources: ReadonlyMap<string, readonly Entry[]>;
  readonly records: ReadonlyMap<string, Json>;
}

/** Writes the section of an endpoint: programs to copy, then what is sent and returned. */
export function writeEndpoint(
  { row, operation }: Entry,
  { service, types, records }: Reference,
  link: LinkTo,
): string {
  const { call, text, endpoint } = row;
  const [method = "", path = ""] = endpoint.route.split(" ");
  return page([
    `## ${call}`,
    `<p class="fm-route"><b>${method}</b> <code>${path}</code>${text.deprecated === undefined ? "" : ` ${mark("deprecated")}`}</p>`,
    prose(String(operation["description"])),
    "::: code-group",
    fence("ts [TypeScript]", programOf(row, service, types)),
    fence("sh [curl]", curl(row, service)),
    ...responseSample(operation),
    ":::",
    parameterTable(operation, row, types, link),
    bodyText(operation, records, link),
    responseText(operation, link),
    errorTable(operation, row),
  ]);
}

function parameterTable(operation: Json, row: Row, types: SourceTypes, link: LinkTo): string {
  const parameters = (operation["parameters"] ?? []) as Json[];
  return table(
    ["parameter", "in", "type", "description"],
    parameters.map((each) => {
      const name = String(each["name"]);
      const type = types.field(row.input, name);
      return [
        `\`${name}\`${each["required"] === true ? "" : ` ${mark("optional")}`}`,
        String(each["in"]),
        typeCell(each["schema"] as Json, link, type && types.print(type)),
        cell(stringField(each, "description") || fixedText(each)),
      ];
    }),
  );
}

/** The value of the route itself, which the client sends. */
function fixedText(parameter: Json): string {
  return "example" in parameter ? "Always this value: the client sends it." : "";
}

/** What is sent, with the fields of a record that has a section of its own too. */
function bodyText(operation: Json, records: Reference["records"], link: LinkTo): string {
  const body = operation["requestBody"] as Json | undefined;
  if (body === undefined) return "";
  const schema = jsonSchemaOf(body);
  const record = records.get(String(schema["$ref"]).slice(RECORDS.length));
  return describe("Body", record ?? schema, link);
}

function responseText(operation: Json, link: LinkTo): string {
  const [status, response] = successOf(operation);
  const forms = Object.entries((response["content"] ?? {}) as Record<string, Json>);
  return page(
    forms.map(([type, { schema }]) =>
      describe(
        `Response \`${status}\`${type === "text/plain" ? " as plain text" : ""}`,
        schema as Json,
        link,
      ),
    ),
  ).trim();
}

/** Describes a value in words, with its fields if it is an unnamed record. */
function describe(what: string, schema: Json, link: LinkTo): string {
  const tables = ((schema["anyOf"] ?? [schema]) as Json[]).map((each) => fieldTable(each, link));
  if (tables.includes("")) return `**${what}:** ${describeType(schema, link)}`;
  return page([`**${what}**`, tables.join("\n\nor\n\n")]).trim();
}

/** The errors of this endpoint alone: those that every endpoint has are in one table of the page. */
function errorTable(operation: Json, { endpoint }: Row): string {
  const responses = operation["responses"] as Record<string, Json>;
  return writeErrors(
    Object.keys(endpoint.errors).map((status) => [
      status,
      String(responses[status]?.["description"]),
    ]),
  );
}

/** Writes a table of errors by status. */
export function writeErrors(errors: readonly (readonly [status: string, text: string])[]): string {
  return table(
    ["status", "error"],
    errors.map(([status, text]) => [`\`${status}\``, cell(text)]),
  );
}

function responseSample(operation: Json): string[] {
  const [, response] = successOf(operation);
  const forms = Object.values((response["content"] ?? {}) as Record<string, Json>);
  return forms.flatMap(({ examples }) =>
    Object.values((examples ?? {}) as Record<string, Json>).map(({ value }) =>
      typeof value === "string"
        ? fence("txt [Response]", value)
        : jsonFence(stringifyJson(value, { space: 2 })),
    ),
  );
}

const MOST_COLOURED_LINES = 18;

/** Colors are elements of the page, and a page has at most 3,000: a long response has none. */
function jsonFence(source: string): string {
  const isLong = source.split("\n").length > MOST_COLOURED_LINES;
  return fence(`${isLong ? "txt" : "json"} [Response]`, source);
}

function successOf(operation: Json): [status: string, response: Json] {
  const responses = Object.entries(operation["responses"] as Record<string, Json>);
  return responses.find(([status]) => status.startsWith("2")) ?? ["", {}];
}

function jsonSchemaOf(body: Json): Json {
  return ((body["content"] as Json)["application/json"] as Json)["schema"] as Json;
}
