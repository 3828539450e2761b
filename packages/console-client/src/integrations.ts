import * as z from "@fieldmesh/core/internal/zod";
import { bind, endpoint, type Methods, type Transport } from "@fieldmesh/http/internal";
import { createIntegration, type IntegrationCreation } from "./create-integration.ts";
import { id, required } from "./fields.ts";
import {
  CreatedIntegration,
  DeletedIntegration,
  Integration,
  NewCloudAIntegration,
  NewCloudBIntegration,
  NewHttpIntegration,
  NewMqttIntegration,
  NewPrebuiltIntegration,
} from "./integration.ts";

const notFound = { 404: "Integration not found" };
const path = {
  /** The id of the integration: a UUID. */
  integration_id: id,
};
const notAccepted = { 422: "The integration was not accepted" };

/** The endpoints of integrations, one row for each. The client makes the methods of `client.integrations` from them. */
export const integrations = {
  /**
   * List the integrations of the organization with their linked labels and devices, without credentials.
   *
   * @throws A {@link CallError} if the call fails
   * @example
   * ```ts
   * const names = (await client.integrations.list()).map((integration) => integration.name);
   * ```
   */
  list: endpoint("GET /api/v1/integrations/", {
    result: z.array(Integration),
  }),

  /**
   * Get an integration by its id.
   *
   * @throws An {@link ApiError} with 404: Integration not found
   * @throws A {@link CallError} for every other failure
   * @example
   * ```ts
   * const integration = await client.integrations.get({ integration_id });
   * ```
   */
  get: endpoint("GET /api/v1/integrations/:integration_id", {
    path,
    result: Integration,
    errors: notFound,
  }),

  /**
   * Find an integration by its exact name (observed). Returns `undefined` if no integration has this name: a 404 with the
   * console's own error.
   *
   * @throws An {@link ApiError} with any other 404, such as that of a proxy: the address may be wrong
   * @throws A {@link CallError} for every other failure
   * @example
   * ```ts
   * const archive = await client.integrations.find({ name: "Archive" });
   * ```
   */
  find: endpoint("GET /api/v1/integrations", {
    query: {
      /** The whole name of the integration. */
      name: required,
    },
    result: Integration,
    mayBeAbsent: true,
    errors: notFound,
  }),

  /**
   * Create an integration with one of the four partners. Its name must be unique in the organization.
   *
   * @throws An {@link ApiError} with 422: The integration was not accepted (observed)
   * @throws A {@link CallError} for every other failure
   * @example
   * ```ts
   * await client.integrations.createPrebuilt({ name: "Dashboards", type: "partner1", token });
   * ```
   */
  createPrebuilt: endpoint("POST /api/v1/integrations/prebuilt", {
    body: NewPrebuiltIntegration,
    result: Integration,
    status: 201,
    errors: notAccepted,
  }),

  /**
   * Create an integration that sends each uplink to your URL. Its name must be unique in the organization.
   *
   * `method` is post, get, put or patch, and is sent in lower case (observed). The returned credentials are Secrets.
   *
   * @throws An {@link ApiError} with 422: The integration was not accepted (observed)
   * @throws A {@link CallError} for every other failure
   * @example
   * ```ts
   * const integration = await client.integrations.createHttp({
   *   name: "Data lake",
   *   endpoint: "https://lake.example.com/uplinks",
   *   method: "post",
   *   headers: { authorization: "Bearer t0ken" },
   *   url_params: { device: "{{device_id}}" },
   * });
   * ```
   */
  createHttp: endpoint("POST /api/v1/integrations", {
    body: NewHttpIntegration,
    fixed: { type: "http" },
    result: CreatedIntegration,
    status: 201,
    errors: notAccepted,
  }),

  /**
   * Create an integration with an MQTT broker. Its name must be unique in the organization.
   *
   * @throws An {@link ApiError} with 422: The integration was not accepted (observed)
   * @throws A {@link CallError} for every other failure
   * @example
   * ```ts
   * await client.integrations.createMqtt({
   *   name: "Broker",
   *   endpoint: "mqtts://user:passw0rd@broker.example.com:8883",
   *   uplink_topic: "fleet/up",
   *   downlink_topic: "fleet/down",
   * });
   * ```
   */
  createMqtt: endpoint("POST /api/v1/integrations", {
    body: NewMqttIntegration,
    fixed: { type: "mqtt" },
    result: CreatedIntegration,
    status: 201,
    errors: notAccepted,
  }),

  /**
   * Create an integration with cloud hub A. Its name must be unique in the organization.
   *
   * @throws An {@link ApiError} with 422: The integration was not accepted (observed)
   * @throws A {@link CallError} for every other failure
   * @example
   * ```ts
   * await client.integrations.createCloudA({
   *   name: "Hub A",
   *   cloudA_policy_name: "fieldmesh",
   *   cloudA_hub_name: "fleet",
   *   cloudA_primary_key: key,
   * });
   * ```
   */
  createCloudA: endpoint("POST /api/v1/integrations", {
    body: NewCloudAIntegration,
    fixed: { type: "cloudA" },
    result: CreatedIntegration,
    status: 201,
    errors: notAccepted,
  }),

  /**
   * Create an integration with cloud hub B. Its name must be unique in the organization.
   *
   * @throws An {@link ApiError} with 422: The integration was not accepted (observed)
   * @throws A {@link CallError} for every other failure
   * @example
   * ```ts
   * await client.integrations.createCloudB({
   *   name: "Hub B",
   *   topic: "fleet/up",
   *   cloudB_access_key: access,
   *   cloudB_secret_key: secret,
   *   cloudB_region: "eu-1",
   * });
   * ```
   */
  createCloudB: endpoint("POST /api/v1/integrations", {
    body: NewCloudBIntegration,
    fixed: { type: "cloudB" },
    result: CreatedIntegration,
    status: 201,
    errors: notAccepted,
  }),

  /**
   * Delete an integration and its links to labels. Returns its id and name.
   *
   * @throws An {@link ApiError} with 404: Integration not found
   * @throws A {@link CallError} for every other failure
   * @example
   * ```ts
   * await client.integrations.delete({ integration_id });
   * ```
   */
  delete: endpoint("DELETE /api/v1/integrations/:integration_id", {
    path,
    result: DeletedIntegration,
    errors: notFound,
  }),
};

/** Integrations of the organization. */
export interface Integrations extends Methods<typeof integrations>, IntegrationCreation {}

/** Binds the rows and adds the method that uses several of them. */
export function bindIntegrations(transport: Transport): Integrations {
  const methods = bind("integrations", integrations, transport);
  return { ...methods, create: (input, options) => createIntegration(methods, input, options) };
}
