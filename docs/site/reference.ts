import { createSchemaWriter } from "../documents/json-schema.ts";
import { withObservedRules } from "../documents/observed-rules.ts";
import { writeOperation } from "../documents/operation.ts";
import { rowsOf } from "../documents/operations.ts";
import type { Service } from "@fieldmesh/sandbox/internal/services";
import type { Json } from "../documents/shapes.ts";
import { endpointsFile, type SourceTypes } from "../documents/source-types.ts";
import { optionsFor } from "../documents/openapi.ts";
import { ownMethodsOf, writeClientPages } from "./client-methods.ts";
import { keyVariable } from "./curl.ts";
import {
  RECORDS,
  writeEndpoint,
  writeErrors,
  type Entry,
  type Reference,
} from "./endpoint-section.ts";
import { describeType, fieldTable, type LinkTo } from "./field-table.ts";
import {
  cell,
  firstSentence,
  mark,
  page,
  prose,
  stringField,
  table,
  titled,
  withFrontmatter,
} from "./markdown.ts";

/** Writes the pages of a service, by path: one with all endpoints, one for each resource, and one with the records. */
export function writeReference(service: Service, types: SourceTypes): Map<string, string> {
  const reference = read(service, types);
  const pages = [...reference.resources].map(
    ([resource, entries]) =>
      [
        `reference/${service.name}/${resource}.md`,
        writeResource(resource, entries, reference),
      ] as const,
  );
  return new Map([
    [`reference/${service.name}.md`, writeOverview(reference)],
    ...pages,
    ...writeClientPages(service, types),
    [`reference/${service.name}/records.md`, writeRecords(reference)],
  ]);
}

function read(service: Service, types: SourceTypes): Reference {
  const [contract, observed] = [false, true].map((rules) => draft(service, types, rules));
  const both = withObservedRules(contract!, observed!) as Draft;
  const entries = rowsOf(service, types).map((row): Entry => {
    return { row, operation: both.operations[row.call] ?? {} };
  });
  const resources = Map.groupBy(entries, ({ row }) => row.resource);
  const records = new Map(Object.entries(both.records).sort(([a], [b]) => (a < b ? -1 : 1)));
  return { service, types, resources, records };
}

/** What the documents for machines have, with one operation for each row, and with the types of TypeScript. */
interface Draft extends Json {
  readonly operations: Readonly<Record<string, Json>>;
  readonly records: Readonly<Record<string, Json>>;
}

function draft(service: Service, types: SourceTypes, observedRules: boolean): Draft {
  const options = optionsFor(service, observedRules);
  const writer = createSchemaWriter(types, RECORDS, { ...options, withTypes: true });
  const operations = rowsOf(service, types, observedRules).map((row) => {
    const [method = "", path = ""] = row.endpoint.route.split(" ");
    const operation = writeOperation(
      { method: method.toLowerCase(), path: path.replace(/:(\w+)/g, "{$1}"), rows: [row] },
      service,
      writer,
    );
    return [row.call, operation] as const;
  });
  return {
    operations: Object.fromEntries(operations),
    records: Object.fromEntries(writer.components),
  };
}

function writeOverview({ service, types, resources, records }: Reference): string {
  const calls = [...resources.values()].flat().length;
  const count = calls === 1 ? "The endpoint" : `The ${calls} endpoints`;
  const own = ownMethodsOf(service, types);
  const lists = [...resources].map(([resource, entries]) =>
    page([
      `## [${titled(resource)}](./${service.name}/${resource}.md)`,
      prose(types.textOfTable(endpointsFile(service.package), resource) ?? ""),
      table(
        ["call", "request", "what it does"],
        entries.map(({ row: { call, endpoint, text } }) => [
          `${anchor(call)}[\`${call}\`](./${service.name}/${resource}.md#${anchorOf(call)})`,
          `\`${endpoint.route}\``,
          cell(firstSentence(text.description ?? "")),
        ]),
      ),
    ]),
  );
  return withFrontmatter(
    {
      title: service.title,
      description: `${count} of the HTTP API of the ${service.title.toLowerCase()}, with curl and TypeScript, its credential and records, and OpenAPI documents for Postman, Swagger and other languages.`,
      outline: 2,
    },
    page([
      `# ${service.title}`,
      prose(service.description),
      `Client: [@fieldmesh/${service.package}](../api/@fieldmesh/${service.package}/index.md). For other languages:
<a href="../openapi/${service.name}.json" target="_self">OpenAPI 3.1</a> and a JSON Schema of each record
([how to use them](../project/documents.md)).`,
      credentialText(service),
      ...lists,
      own.length > 0 && `## [Methods of the client](./${service.name}/methods.md)`,
      table(
        ["call", "what it does"],
        own.map(({ call, text }) => [
          `[\`${call}\`](./${service.name}/methods.md#${anchorOf(call)})`,
          cell(firstSentence(text.description ?? "")),
        ]),
      ),
      `## [Client and options](./${service.name}/client.md)`,
      "The client itself with all its options, and the options of every call.",
      `## [Records](./${service.name}/records.md)`,
      [...records.keys()]
        .map((name) => `${anchor(name)}[${name}](./${service.name}/records.md#${anchorOf(name)})`)
        .join(" · "),
    ]),
  );
}

function writeResource(resource: string, entries: readonly Entry[], reference: Reference): string {
  const { service, types } = reference;
  const link: LinkTo = (name) => `./records.md#${anchorOf(name)}`;
  const calls = entries.map(({ row }) => row.call);
  const own = ownMethodsOf(service, types)
    .filter(({ call }) => call.startsWith(`${resource}.`))
    .map(({ name, call }) => `[${name}](./methods.md#${anchorOf(call)})`);
  return withFrontmatter(
    {
      title: `${titled(resource)} · ${service.title}`,
      description: describeResource(resource, calls, service),
      outline: 2,
    },
    page([
      `# ${titled(resource)}`,
      prose(types.textOfTable(endpointsFile(service.package), resource) ?? ""),
      `Part of the [${service.title.toLowerCase()}](../${service.name}.md). All calls have the same [options](./client.md#options-of-a-call).`,
      own.length > 0 &&
        `Methods of the client that send requests to these endpoints: ${own.join(", ")}.`,
      Object.keys(service.errors).length > 0 && "Every call may also fail with:",
      writeErrors(Object.entries(service.errors)),
      ...entries.map((entry) => writeEndpoint(entry, reference, link)),
    ]),
  );
}

const MOST_NAMED_CALLS = 4;

function describeResource(resource: string, calls: readonly string[], service: Service): string {
  const more = calls.length - MOST_NAMED_CALLS;
  const named = calls.slice(0, MOST_NAMED_CALLS).join(", ") + (more > 0 ? ` and ${more} more` : "");
  return `${titled(resource)} of the ${service.title.toLowerCase()}: ${named}. Fields, errors, curl and TypeScript.`;
}

function writeRecords({ service, records }: Reference): string {
  const link: LinkTo = (name) => `#${anchorOf(name)}`;
  return withFrontmatter(
    {
      title: `Records · ${service.title}`,
      description: `The ${records.size} records of the ${service.title.toLowerCase()}: each field with its types in TypeScript and in JSON.`,
      outline: 2,
    },
    page([
      "# Records",
      `What the calls of the [${service.title.toLowerCase()}](../${service.name}.md) accept and return. A field without the mark (observed) is as the published spec states it. A field that is not marked ${mark("optional")} is always
present, unless all of its record is observed. Where TypeScript has \`null\` or \`undefined\` and JSON has not, such a value is reported as drift: see [Validation and drift](../../guides/validation.md).
Records are open: a newer server may send more fields, and you receive them.`,
      ...[...records].map(([name, schema]) => writeRecord(name, schema, link)),
    ]),
  );
}

/** Returns the anchor that VitePress makes for a heading. */
function anchorOf(heading: string): string {
  return heading.toLowerCase().replace(/\W+/g, "-");
}

/** Returns a target of links from before each resource had a page. */
function anchor(heading: string): string {
  return `<a id="${anchorOf(heading)}"></a>`;
}

function credentialText(service: Service): string {
  const { credential } = service;
  if (credential === undefined) return "No credential is required, and the client sends none.";
  const description = credential.description;
  const where =
    credential.type === "apiKey" ? `the header \`${credential.name}\`` : "`Authorization: Bearer`";
  return `**Credential:** ${where}. ${prose(description)} The curl commands on these pages read it from \`$${keyVariable(service)}\`.`;
}

function writeRecord(name: string, schema: Json, link: LinkTo): string {
  const fields = fieldTable(schema, link);
  return page([
    `## ${name}`,
    prose(stringField(schema, "description")),
    fields === "" ? `One of: ${describeType({ ...schema, description: undefined }, link)}` : fields,
  ]);
}
