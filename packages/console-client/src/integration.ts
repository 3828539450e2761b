import * as z from "@fieldmesh/core/internal/zod";
import { isRecord, isSecret, Secret, type AnyRecord } from "@fieldmesh/core/internal";
import {
  guess,
  observed,
  openEnum,
  record,
  secretInput,
  sensitive,
  shown,
  type SchemaOf,
} from "@fieldmesh/core/internal/schema";
import { ChangedDevice } from "./device.ts";
import { id, input, integrationName, required } from "./fields.ts";
import { ChangedLabel } from "./label.ts";

/** Credentials of an integration. Every string in them, at any depth, is a Secret. */
export interface Credentials {
  readonly endpoint?: Secret | undefined;
  readonly method?: Secret | undefined;
  readonly headers?: Readonly<Record<string, Secret>> | undefined;
  readonly url_params?: Readonly<Record<string, Secret>> | undefined;
  readonly uplink?: { readonly topic?: Secret | undefined } | undefined;
  readonly downlink?: { readonly topic?: Secret | undefined } | undefined;
  readonly [other: string]: unknown;
}

// A token may be anywhere, such as in an endpoint or a header, so every string is a secret.
const credentials = sensitive(
  "secret",
  z.codec(
    z.custom<Readonly<Record<string, unknown>>>(isRecord, "expected an object"),
    z.custom<Credentials>(isRecord),
    {
      decode: (wire) =>
        mapText(wire, (each) => (typeof each === "string" ? new Secret(each) : each)),
      encode: (value) => mapText(value, (each) => (isSecret(each) ? each.reveal() : each)),
    },
  ),
);

const identity = {
  /** The id of the integration: a UUID. */
  id,
  /** The name, unique in the organization. */
  name: z.string(),
};

const linked = {
  ...identity,
  /** The linked labels. The spec does not show their fields: any of them may be absent or have another type. */
  labels: shown(z.array(guess(ChangedLabel))),
  /** The linked devices. The spec does not show their fields: any of them may be absent or have another type. */
  devices: shown(z.array(guess(ChangedDevice))),
};

const integrationType = openEnum(
  "http",
  "mqtt",
  "cloudA",
  "cloudB",
  "partner1",
  "partner2",
  "partner3",
  "partner4",
);

const integrationFields = record({
  ...linked,
  /** The type of the integration. The spec shows it only where a custom integration is created. */
  type: guess(z.nullish(integrationType)),
  /** The credentials. The spec shows them only where a custom integration is created. */
  credentials: guess(z.nullish(credentials)),
});

/** A target outside the console, with its linked labels and devices. */
export interface Integration extends z.output<typeof integrationFields> {}
export const Integration: SchemaOf<Integration, typeof integrationFields> = integrationFields;

const createdFields = record({
  ...linked,
  /** The type of the integration. */
  type: shown(integrationType),
  /** The credentials. The spec does not show what they hold: the named fields are (observed). */
  credentials: shown(credentials),
});

/** A custom integration as its creation returns it. */
export interface CreatedIntegration extends z.output<typeof createdFields> {}
export const CreatedIntegration: SchemaOf<CreatedIntegration, typeof createdFields> = createdFields;

const deletedFields = record({
  /** The id that the integration had: a UUID. */
  id,
  /** The name that the integration had. */
  name: z.string(),
});

/** What the console returns of an integration that was deleted. */
export interface DeletedIntegration extends z.output<typeof deletedFields> {}
export const DeletedIntegration: SchemaOf<DeletedIntegration, typeof deletedFields> = deletedFields;

const named = {
  /** The name, unique in the organization: up to 50 characters (observed). */
  name: integrationName,
};
const secretText = secretInput(required);
/** The value of a header or of a query parameter. It may be empty. */
const secretValue = secretInput(z.string());

const METHODS = ["post", "get", "put", "patch"] as const;
const method = observed(
  z.codec(z.literal(METHODS), z.string(), {
    decode: (text) => text,
    encode: (text) => text.toLowerCase() as (typeof METHODS)[number],
  }),
  required,
);

const prebuiltFields = input({
  ...named,
  /** The partner: one of the four that the console supports. */
  type: z.literal(["partner1", "partner2", "partner3", "partner4"]),
  /** A token, an authorization key or an uplink secret, depending on the partner: a string or a Secret. */
  token: secretText,
});

/** The input for a prebuilt integration. */
export interface NewPrebuiltIntegration extends z.output<typeof prebuiltFields> {}
export const NewPrebuiltIntegration: SchemaOf<NewPrebuiltIntegration, typeof prebuiltFields> =
  prebuiltFields;

const httpFields = input({
  ...named,
  /** Always `http`. Only `integrations.create` requires it. */
  type: typeOf("http"),
  /** The endpoint, as a string or a Secret. It may contain a token (observed). */
  endpoint: secretText,
  /** An HTTP method: post, get, put or patch, in upper or lower case. It is sent in lower case (observed). */
  method,
  /** The headers by name; a value may be a Secret. */
  headers: z.optional(z.record(z.string(), secretValue)),
  /** A map for payload interpolation with double-curly placeholders, sent as it is. The spec names no placeholder. */
  url_params: z.optional(z.record(z.string(), secretValue)),
});

/** The input for a custom HTTP integration. */
export interface NewHttpIntegration extends z.output<typeof httpFields> {}
export const NewHttpIntegration: SchemaOf<NewHttpIntegration, typeof httpFields> = httpFields;

const mqttFields = input({
  ...named,
  /** Always `mqtt`; only `integrations.create` requires it. */
  type: typeOf("mqtt"),
  /** The endpoint, as a string or a Secret. It may contain a token (observed). */
  endpoint: secretText,
  /** The uplink topic. The spec says nothing more. */
  uplink_topic: required,
  /** The downlink topic. The spec says nothing more. */
  downlink_topic: required,
});

/** The input for a custom MQTT integration. */
export interface NewMqttIntegration extends z.output<typeof mqttFields> {}
export const NewMqttIntegration: SchemaOf<NewMqttIntegration, typeof mqttFields> = mqttFields;

const cloudAFields = input({
  ...named,
  /** Always `cloudA`; only `integrations.create` requires it. */
  type: typeOf("cloudA"),
  /** The name of the policy. */
  cloudA_policy_name: required,
  /** The name of the hub. */
  cloudA_hub_name: required,
  /** The primary key, as a string or a Secret. */
  cloudA_primary_key: secretText,
});

/** The input for an integration with cloud hub A. */
export interface NewCloudAIntegration extends z.output<typeof cloudAFields> {}
export const NewCloudAIntegration: SchemaOf<NewCloudAIntegration, typeof cloudAFields> =
  cloudAFields;

const cloudBFields = input({
  ...named,
  /** Always `cloudB`; only `integrations.create` requires it. */
  type: typeOf("cloudB"),
  /** The topic. The spec says nothing more. */
  topic: required,
  /** The access key, as a string or a Secret. */
  cloudB_access_key: secretText,
  /** The secret key, as a string or a Secret. */
  cloudB_secret_key: secretText,
  /** The region. */
  cloudB_region: required,
});

/** The input for an integration with cloud hub B. */
export interface NewCloudBIntegration extends z.output<typeof cloudBFields> {}
export const NewCloudBIntegration: SchemaOf<NewCloudBIntegration, typeof cloudBFields> =
  cloudBFields;

/** The wire format requires the type. The caller may omit it, because the row adds it (`fixed`) before this schema runs. */
function typeOf<const T extends string>(type: T) {
  type Literal = z.ZodMiniLiteral<T>;
  return z.literal(type) as unknown as z.ZodMiniCodec<Literal, z.ZodMiniOptional<Literal>>;
}

/** Changes the values of a record at any depth. */
function mapText(nested: AnyRecord, change: (leaf: unknown) => unknown): Record<string, unknown> {
  const mapEach = (value: unknown): unknown => {
    if (Array.isArray(value)) return value.map(mapEach);
    return isRecord(value) && !isSecret(value) ? mapText(value, change) : change(value);
  };
  return Object.fromEntries(Object.entries(nested).map(([key, item]) => [key, mapEach(item)]));
}

/** The input for an integration of any type. `type` determines its fields. */
export type NewIntegration =
  | NewPrebuiltIntegration
  | (NewHttpIntegration & { type: "http" })
  | (NewMqttIntegration & { type: "mqtt" })
  | (NewCloudAIntegration & { type: "cloudA" })
  | (NewCloudBIntegration & { type: "cloudB" });
