import { stringifyJson } from "@fieldmesh/core";
import { createSchemaWriter } from "../machine/json-schema.ts";
import { writeOperation } from "../machine/operation.ts";
import { rowsOf, type Row } from "../machine/operations.ts";
import type { Service } from "@fieldmesh/sandbox/services";
import type { Json } from "../machine/shapes.ts";
import { endpointsFile, type SourceTypes } from "../machine/source-types.ts";
import { curl, keyVariable } from "./curl.ts";
import { fieldTable, describeType, type LinkTo } from "./field-table.ts";
import { cell, fence, mark, page, prose, table, stringField, withFrontmatter } from "./markdown.ts";

const RECORDS = "#/components/schemas/";

/** Writes the page of a service: every endpoint, then the records that they return. */
export function writeReference(service: Service, types: SourceTypes): string {
  const writer = createSchemaWriter(types, RECORDS);
  const rows = rowsOf(service, types);
  const sections = rows.map((row) => writeRow(row, service, writer));
  const resources = [...Map.groupBy(rows, ({ resource }) => resource)].map(([resource, those]) =>
    page([
      `## ${resource}`,
      prose(types.textOfTable(endpointsFile(service.package), resource) ?? ""),
      ...those.map((row) => sections[rows.indexOf(row)]),
    ]),
  );
  const records = [...writer.components].sort(([a], [b]) => (a < b ? -1 : 1));
  const count = rows.length === 1 ? "One endpoint" : `${rows.length} endpoints`;
  return withFrontmatter(
    {
      title: service.title,
      description: `${count} of the ${service.title.toLowerCase()}: route, fields, errors, and a request with curl and TypeScript.`,
      outline: [2, 3],
    },
    page([
      `# ${service.title}`,
      prose(service.description),
      `${count}. Client: [@fieldmesh/${service.package}](../api/@fieldmesh/${service.package}.md). For other languages:
<a href="../openapi/${service.name}.json" target="_self">OpenAPI 3.1</a> and a JSON Schema of each record
([how to use them](../guides/documents.md)).`,
      credentialText(service),
      ...resources,
      records.length > 0 && "## Records",
      "Fields without a mark are always there. Records are open: a newer server may send more, and you get it.",
      ...records.map(([name, schema]) => writeRecord(name, schema)),
    ]),
  );
}

const link: LinkTo = (name) => `[${name}](#${anchorOf(name)})`;

/** Returns the anchor that VitePress makes for a heading. */
function anchorOf(heading: string): string {
  return heading.toLowerCase().replace(/\W+/g, "-");
}

function credentialText(service: Service): string {
  const { credential } = service;
  if (credential === undefined) return "No credential is sent.";
  const description = credential.description;
  const where =
    credential.type === "apiKey" ? `the header \`${credential.name}\`` : "`Authorization: Bearer`";
  return `**Credential:** ${where}. ${prose(description)} In the commands below it is \`$${keyVariable(service)}\`.`;
}

function writeRow(
  row: Row,
  service: Service,
  writer: ReturnType<typeof createSchemaWriter>,
): string {
  const { call, text, endpoint } = row;
  const [method = "", path = ""] = endpoint.route.split(" ");
  const operation = writeOperation(
    { method: method.toLowerCase(), path: path.replace(/:(\w+)/g, "{$1}"), rows: [row] },
    service,
    writer,
  );
  return page([
    `### ${call}`,
    `<p class="fm-route"><b>${method}</b> <code>${path}</code>${text.deprecated === undefined ? "" : ` ${mark("deprecated")}`}</p>`,
    prose(String(operation["description"])),
    parameterTable(operation),
    bodyText(operation),
    responseText(operation),
    errorTable(operation),
    "::: code-group",
    fence("sh [curl]", curl(row, service)),
    text.example?.replace(/^```ts/, "```ts [TypeScript]"),
    ...responseSample(operation),
    ":::",
  ]);
}

function parameterTable(operation: Json): string {
  const parameters = (operation["parameters"] ?? []) as Json[];
  return table(
    ["parameter", "in", "type", "what it is"],
    parameters.map((each) => [
      `\`${String(each["name"])}\`${each["required"] === true ? "" : ` ${mark("optional")}`}`,
      String(each["in"]),
      cell(describeType(each["schema"] as Json, link)),
      cell(stringField(each, "description")),
    ]),
  );
}

function bodyText(operation: Json): string {
  const body = operation["requestBody"] as Json | undefined;
  return body === undefined ? "" : describe("Body", jsonSchemaOf(body));
}

function responseText(operation: Json): string {
  const [status, response] = successOf(operation);
  const forms = Object.entries((response["content"] ?? {}) as Record<string, Json>);
  if (forms.length === 0) return `**Answer** \`${status}\``;
  return page(
    forms.map(([type, { schema }]) =>
      describe("Answer", schema as Json, ` \`${status}\`${type === "text/plain" ? ", text" : ""}`),
    ),
  ).trim();
}

/** Describes a value in words, with its fields if it is an unnamed record. */
function describe(what: string, schema: Json, more = ""): string {
  const fields = fieldTable(schema, link);
  const type = fields === "" ? `: ${describeType(schema, link)}` : "";
  return page([`**${what}**${more}${type}`, fields]).trim();
}

function errorTable(operation: Json): string {
  const responses = Object.entries(operation["responses"] as Record<string, Json>);
  return table(
    ["status", "error"],
    responses
      .filter(([status]) => Number(status) >= 400)
      .map(([status, { description }]) => [`\`${status}\``, cell(String(description))]),
  );
}

function responseSample(operation: Json): string[] {
  const [, response] = successOf(operation);
  const forms = Object.values((response["content"] ?? {}) as Record<string, Json>);
  return forms.flatMap(({ examples }) =>
    Object.values((examples ?? {}) as Record<string, Json>).map(({ value }) =>
      typeof value === "string"
        ? fence("txt [Answer]", value)
        : fence("json [Answer]", stringifyJson(value, { space: 2 })),
    ),
  );
}

function successOf(operation: Json): [status: string, response: Json] {
  const responses = Object.entries(operation["responses"] as Record<string, Json>);
  return responses.find(([status]) => status.startsWith("2")) ?? ["", {}];
}

function jsonSchemaOf(body: Json): Json {
  return ((body["content"] as Json)["application/json"] as Json)["schema"] as Json;
}

function writeRecord(name: string, schema: Json): string {
  const fields = fieldTable(schema, link);
  return page([
    `### ${name}`,
    prose(stringField(schema, "description")),
    fields === "" ? `One of: ${describeType({ ...schema, description: undefined }, link)}` : fields,
  ]);
}
