import { SANDBOX_PORT } from "@fieldmesh/sandbox/internal";
import type { Service } from "@fieldmesh/sandbox/internal/services";
import type { EventDocuments } from "./events.ts";
import { createSchemaWriter, type WriterOptions } from "./json-schema.ts";
import { withObservedRules } from "./observed-rules.ts";
import { writeOperation } from "./operation.ts";
import { operationsOf } from "./operations.ts";
import type { Json } from "./shapes.ts";
import { endpointsFile, type SourceTypes } from "./source-types.ts";

const CREDENTIAL = "credential";

/** An OpenAPI document, and the schemas of its records. */
export interface ServiceDocument {
  readonly document: Json;
  readonly records: ReadonlyMap<string, Json>;
}

/** Writes the OpenAPI 3.1 document of a service. The events are those that it delivers. */
export function writeOpenApi(
  service: Service,
  types: SourceTypes,
  events?: EventDocuments,
): ServiceDocument {
  const [contract, observed] = [false, true].map((rules) => draft(service, types, rules, events));
  const document = withObservedRules(contract!.document, observed!.document);
  const { schemas } = document["components"] as { schemas: Readonly<Record<string, Json>> };
  const names = [...contract!.records.keys()];
  return { document, records: new Map(names.map((name) => [name, schemas[name] ?? {}])) };
}

function draft(
  service: Service,
  types: SourceTypes,
  observedRules: boolean,
  events?: EventDocuments,
): ServiceDocument {
  const options = optionsFor(service, observedRules);
  const writer = createSchemaWriter(types, "#/components/schemas/", options);
  const paths: Record<string, Record<string, Json>> = {};
  for (const operation of operationsOf(service, types, observedRules)) {
    const item = (paths[operation.path] ??= {});
    item[operation.method] = writeOperation(operation, service, writer);
  }
  const records = new Map([...writer.components].sort(byName));
  const resources = Object.keys(service.tables).map((name) => ({
    name,
    description: types.textOfTable(endpointsFile(service.package), name) ?? name,
  }));
  const schemas = { ...events?.schemas, ...Object.fromEntries(records) };
  const baseUrl = `http://127.0.0.1:${SANDBOX_PORT}/${service.name}`;
  const document = {
    openapi: "3.1.0",
    info: {
      title: service.title,
      version: "1",
      description: service.description,
      license: { name: "MIT", identifier: "MIT" },
    },
    // The first one is a URL, because many generators know no variables.
    servers: [
      { url: baseUrl, description: "The sandbox, as `npx @fieldmesh/sandbox` starts it" },
      {
        url: "{baseUrl}",
        description: "Your deployment. The contract publishes no host.",
        variables: { baseUrl: { default: baseUrl } },
      },
    ],
    security: service.credential === undefined ? [] : [{ [CREDENTIAL]: [] }],
    tags: [...resources, ...(events?.tags ?? [])],
    paths,
    ...(events && { webhooks: events.webhooks }),
    components: {
      schemas: { ErrorBody: service.errorBody, ...schemas },
      ...(service.credential && { securitySchemes: { [CREDENTIAL]: service.credential } }),
    },
  };
  return { document, records };
}

function byName([a]: readonly [string, unknown], [b]: readonly [string, unknown]): number {
  return a < b ? -1 : 1;
}

/** The rules of `check` for a position. They are code in the client, and not schemas. */
const RULES: Readonly<Record<string, Json>> = {
  latitude: { minimum: -90, maximum: 90, not: { const: 0 } },
  longitude: { minimum: -180, maximum: 180, not: { const: 0 } },
  altitude: { minimum: -500 },
  accuracy: { minimum: 0 },
};

/** The map requires a position in one of two places. The schemas of an uplink describe what other services put around it. */
const REQUIRED = new Set(["decoded", "payload", "object", ...Object.keys(RULES)]);

/** How the requests of a service are written: as the contract has them, or with the observed rules. */
export function optionsFor({ name }: Service, observedRules: boolean): WriterOptions {
  if (name !== "mapper") return {};
  return observedRules ? { rules: RULES } : { required: REQUIRED };
}
