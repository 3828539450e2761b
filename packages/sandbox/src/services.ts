// Why it is so: docs/decisions/11-the-sandbox-serves-the-tables.md
import { createConsoleClient } from "@fieldmesh/console-client";
import * as consoleTables from "@fieldmesh/console-client/endpoints";
import * as consoleSamples from "@fieldmesh/console-client/samples";
import type { ClientOptions, Table } from "@fieldmesh/http/internal";
import { createLedgerClient } from "@fieldmesh/ledger-client";
import * as ledgerTables from "@fieldmesh/ledger-client/endpoints";
import * as ledgerSamples from "@fieldmesh/ledger-client/samples";
import { createMapperClient } from "@fieldmesh/mapper-client";
import * as mapperTables from "@fieldmesh/mapper-client/endpoints";
import * as mapperSamples from "@fieldmesh/mapper-client/samples";
import { createMobileClient } from "@fieldmesh/mobile-client";
import * as mobileTables from "@fieldmesh/mobile-client/endpoints";
import * as mobileSamples from "@fieldmesh/mobile-client/samples";
import { type SampledTables, withSamples } from "./engine/serve/with-samples.ts";
import type { ServiceName, ServiceOptions } from "./engine/services/served.ts";

export type { ServiceName, ServiceOptions };
export type { BlockRecord, Chain } from "./engine/ledger/chain.ts";
export type { Texts } from "./engine/ledger/texts.ts";
export type { Rewound, SandboxActivity } from "./engine/services/feed.ts";
export type { Connection } from "./engine/serve/call.ts";
export type {
  DeviceChange,
  DeviceStore,
  Euis,
  FlowRecord,
  IntegrationRecord,
  LabelRecord,
  OrganizationRecord,
} from "./engine/console/state/state.ts";
export type { Budgets, KeyMode } from "./engine/mobile/layers.ts";
export type { LoggedRequest } from "./engine/log/logged-request.ts";
export type { RequestLog } from "./engine/log/request-log.ts";
export type { InProcessFetch } from "./engine/serve/in-process-fetch.ts";
export type { Disturbance } from "./engine/webhooks/delivery.ts";
export type { KeyRole } from "./engine/webhooks/roles.ts";
export type { MobileService } from "./engine/sandbox/sandbox.ts";
export type { Stretch } from "./engine/console/state/stretch.ts";
export {
  serve,
  type Handler,
  type Implementation,
  type RowHandler,
  type ServeOptions,
} from "./engine/serve/serve.ts";
export { withSamples, type SampledRow, type SampledTables } from "./engine/serve/with-samples.ts";
export type { Call, CallHandler, Layer } from "./engine/serve/call.ts";
export type { Misfit } from "./engine/serve/read-input.ts";
export type { Row, Tables } from "./engine/serve/router.ts";

/** A service, for tests, tools and documents. The contents of its tables are not repeated here. */
export interface Service {
  readonly name: ServiceName;
  /** The folder of its client under packages/, and the name of its package in our scope. */
  readonly package: string;
  /** Its rows, with their examples. */
  readonly tables: SampledTables<Readonly<Record<string, Table>>>;
  /** Creates its client, with the methods by resource as in the tables. A service without a credential ignores the key. */
  readonly createClient: (options: ClientOptions & { readonly apiKey: string }) => object;
  /** Whether its client checks observed rules by default. The command line then describes them. */
  readonly checksObservedRules: boolean;
  /** How a request is authenticated, as an OpenAPI security scheme. `undefined` for a public service. */
  readonly credential?: { readonly description: string } & (
    | { readonly type: "apiKey"; readonly in: "header"; readonly name: string }
    | { readonly type: "http"; readonly scheme: "bearer" }
  );
  /** Whether its methods return personal data as strings. Only values that grant access are Secrets. */
  readonly returnsPersonalData: boolean;
  /** Whether the OpenAPI document contains the webhooks. */
  readonly hasWebhooks: boolean;
  readonly title: string;
  readonly description: string;
  /** The JSON Schema of an error body. */
  readonly errorBody: JsonSchema;
  /** The errors of every endpoint, in addition to those of its row. */
  readonly errors: Readonly<Record<number, string>>;
  /** The media types of errors that are not only JSON. */
  readonly errorTypes: Readonly<Record<number, readonly string[]>>;
}

/** A schema in the form of OpenAPI 3.1. */
export type JsonSchema = { readonly [keyword: string]: unknown };

const text = { type: "string" };
const texts = { type: "array", items: text };

/** Removes the key from the options of a client without a credential, which would reject it. */
function withoutKey(options: ClientOptions): ClientOptions {
  return { ...options, apiKey: undefined } as ClientOptions;
}

/** Every service. Tests, MSW, the command line, the documents and the reference pages read this list. */
export const services: readonly Service[] = [
  {
    name: "console",
    package: "console-client",
    tables: withSamples(consoleTables, consoleSamples),
    createClient: createConsoleClient,
    checksObservedRules: true,
    credential: {
      type: "apiKey",
      in: "header",
      name: "key",
      description:
        "The API key of an organization. It works after you open the confirmation link that the console sends by email.",
    },
    returnsPersonalData: false,
    hasWebhooks: false,
    title: "Device console",
    description:
      "The devices of an organization, with their labels, integrations and flows. The published spec says that this API is not fully updated for a later migration to another ledger network.",
    errorBody: {
      type: "object",
      properties: {
        errors: {
          type: ["object", "array"],
          description:
            "Strings by field (observed); those that belong to no field are under `error`. A list of strings, if the key is missing (observed).",
          additionalProperties: texts,
          items: text,
        },
        message: { ...text, description: "A code, with a 401 (observed)." },
      },
    },
    errors: {
      401: "The API key is unknown or not confirmed yet (observed)",
      403: "The API key is missing (observed)",
      429: "Too many requests (observed)",
    },
    errorTypes: { 429: ["text/plain"] },
  },
  {
    name: "ledger",
    package: "ledger-client",
    tables: withSamples(ledgerTables, ledgerSamples),
    createClient: (options) => createLedgerClient(withoutKey(options)),
    checksObservedRules: false,
    returnsPersonalData: false,
    hasWebhooks: false,
    title: "Ledger",
    description:
      "Blocks, accounts, chain variables and locations. The API is read-only. The published spec says that it may no longer be available after a migration to another ledger network.",
    errorBody: {
      type: "object",
      properties: {
        error: { ...text, description: "What went wrong (observed)." },
        come_back_in_ms: {
          type: "integer",
          description: "How long to wait, with a 429 (observed).",
        },
      },
    },
    errors: { 429: "Too many requests (observed)" },
    errorTypes: {},
  },
  {
    name: "mapper",
    package: "mapper-client",
    tables: withSamples(mapperTables, mapperSamples),
    // Its only method belongs to the client itself.
    createClient(options) {
      const client = createMapperClient(withoutKey(options));
      return { mapper: client, request: client.request };
    },
    checksObservedRules: false,
    returnsPersonalData: false,
    hasWebhooks: false,
    title: "Mapping ingest",
    description:
      "Accepts uplinks that carry the position of their device. Everything you submit is shown on a public map in real time.",
    errorBody: {
      type: "object",
      properties: {
        error: { anyOf: [text, texts], description: "What is wrong, or a list of it (observed)." },
      },
    },
    errors: { 429: "Too many requests (observed)" },
    errorTypes: { 400: ["text/plain", "application/json"], 429: ["text/plain"] },
  },
  {
    name: "mobile",
    package: "mobile-client",
    tables: withSamples(mobileTables, mobileSamples),
    createClient: createMobileClient,
    checksObservedRules: false,
    credential: {
      type: "http",
      scheme: "bearer",
      description:
        "An API key of the platform. The key alone selects the environment, live or sandbox (observed).",
    },
    returnsPersonalData: true,
    hasWebhooks: true,
    title: "Mobile connectivity service",
    description:
      "The endpoints that the event catalog names, and the webhooks of every event type. The published spec does not show most request and response shapes, so their schemas allow any field.",
    errorBody: {
      type: "object",
      description: "Problem details as in RFC 9457 (observed).",
      properties: {
        type: { ...text, description: "A URI of the kind of problem." },
        title: { ...text, description: "The kind of problem in words." },
        status: { type: "integer", description: "The HTTP status." },
        detail: { ...text, description: "This problem in words." },
        code: { ...text, description: "Stable: branch on it." },
        errors: {
          type: "array",
          description: "The fields that are wrong.",
          items: {
            type: "object",
            properties: {
              path: { ...text, description: "A JSON pointer." },
              code: { ...text, description: "What is wrong with the field; stable." },
              message: { ...text, description: "The same in words." },
            },
          },
        },
      },
    },
    errors: { 401: "The key was not accepted (observed)", 429: "Too many requests (observed)" },
    errorTypes: {},
  },
];

/** Returns the header with the key of a service, or `undefined` for a public service. */
export function credentialHeader(
  { credential }: Service,
  key: string,
): readonly [name: string, value: string] | undefined {
  if (credential === undefined) return undefined;
  return credential.type === "apiKey" ? [credential.name, key] : ["authorization", `Bearer ${key}`];
}
