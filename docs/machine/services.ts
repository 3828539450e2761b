import * as consoleTables from "@fieldmesh/console-client/endpoints";
import type { Table } from "@fieldmesh/http";
import * as ledgerTables from "@fieldmesh/ledger-client/endpoints";
import * as mapperTables from "@fieldmesh/mapper-client/endpoints";
import * as mobileTables from "@fieldmesh/mobile-client/endpoints";
import type { Json } from "./shapes.ts";

/** What an OpenAPI document says of a service as a whole. Everything else is in its tables. */
export interface ServiceFacts {
  /** The name of the document. */
  readonly id: string;
  /** Holds the rows, in src/endpoints.ts. */
  readonly package: string;
  readonly tables: Readonly<Record<string, Table>>;
  readonly title: string;
  readonly description: string;
  /** A base URL as deployments have it; none is published. */
  readonly baseUrl: string;
  /** How a caller says who it is; none where nobody is asked. */
  readonly credential?: Json;
  /** What an error body looks like. */
  readonly errorBody: Json;
  /** Errors of every endpoint, beside those of its row. */
  readonly errors: Readonly<Record<number, string>>;
  /** The media types of errors that are not only JSON. */
  readonly errorTypes: Readonly<Record<number, readonly string[]>>;
  /** The document has the webhooks too. */
  readonly hasWebhooks?: boolean;
}

const DATED =
  "The published contract says that it may be out of date after a migration of the network.";

const listOfTexts = { type: "array", items: { type: "string" } };

const consoleFacts: ServiceFacts = {
  id: "console",
  package: "console-client",
  tables: consoleTables,
  title: "Device console",
  description: `Devices of an organization with their labels, integrations and flows. ${DATED}`,
  baseUrl: "http://127.0.0.1:8080/console",
  credential: {
    type: "apiKey",
    in: "header",
    name: "key",
    description: "The API key of an organization. It works once its e-mailed link was opened.",
  },
  errorBody: {
    type: "object",
    properties: {
      errors: {
        type: "object",
        description: "Texts by field; those that belong to no field stand under `error`.",
        additionalProperties: listOfTexts,
      },
      message: { type: "string", description: "A code, with a 401." },
    },
  },
  errors: {
    401: "The API key is missing, unknown or not confirmed yet",
    429: "Too many requests; not in the published spec, running deployments do it",
  },
  errorTypes: { 429: ["text/plain"] },
};

const ledgerFacts: ServiceFacts = {
  id: "ledger",
  package: "ledger-client",
  tables: ledgerTables,
  title: "Ledger",
  description: `Blocks, accounts, chain variables and locations; it only reads. ${DATED}`,
  baseUrl: "http://127.0.0.1:8080/ledger",
  errorBody: {
    type: "object",
    properties: {
      error: { type: "string" },
      come_back_in_ms: { type: "integer", description: "How long to wait, with a 429." },
    },
  },
  errors: { 429: "Too busy; not in the published spec, running deployments do it" },
  errorTypes: {},
};

const mapperFacts: ServiceFacts = {
  id: "mapper",
  package: "mapper-client",
  tables: mapperTables,
  title: "Mapping ingest",
  description:
    "Takes uplinks of devices that say where they are. What is submitted is shown on a public map in real time.",
  baseUrl: "http://127.0.0.1:8080/mapper",
  errorBody: {
    type: "object",
    properties: { error: { anyOf: [{ type: "string" }, listOfTexts] } },
  },
  errors: { 429: "Too many requests; not in the published spec, running deployments do it" },
  errorTypes: { 400: ["text/plain", "application/json"], 429: ["text/plain"] },
};

const mobileFacts: ServiceFacts = {
  id: "mobile",
  package: "mobile-client",
  tables: mobileTables,
  title: "Mobile connectivity service",
  description:
    "The endpoints that the event catalog names, and the webhooks of every event type. Most request and response shapes are not in the published spec and stay open.",
  baseUrl: "http://127.0.0.1:8080/mobile",
  credential: {
    type: "http",
    scheme: "bearer",
    description:
      "A key of the platform; it alone selects the environment. Not in the published spec; running deployments do it.",
  },
  errorBody: {
    type: "object",
    description: "Problem details as in RFC 9457.",
    properties: {
      type: { type: "string" },
      title: { type: "string" },
      status: { type: "integer" },
      detail: { type: "string" },
      code: { type: "string", description: "Stable: branch on it." },
      errors: {
        type: "array",
        items: {
          type: "object",
          properties: {
            path: { type: "string", description: "A JSON pointer." },
            code: { type: "string" },
            message: { type: "string" },
          },
        },
      },
    },
  },
  errors: { 401: "The key was not accepted", 429: "Too many requests" },
  errorTypes: {},
  hasWebhooks: true,
};

/** Every service with a document; a further one is a line here. */
export const services: readonly ServiceFacts[] = [
  consoleFacts,
  ledgerFacts,
  mapperFacts,
  mobileFacts,
];
