import * as z from "@fieldmesh/core/internal/zod";
import { record, shown, type SchemaOf } from "@fieldmesh/core/internal/schema";
import { endpoint, text, type Methods } from "@fieldmesh/http/internal";
import { id, input } from "./fields.ts";
import { CreatedFlow } from "./created-flow.ts";

const flowFields = record({
  /** The id of the flow: a UUID. */
  id,
  /** The id of the integration: a UUID. */
  integration_id: id,
  /** The id of the label whose devices are connected, a UUID; `null` for a flow of a device. */
  label_id: shown(z.nullable(id)),
  /** The id of the device that is connected, a UUID; `null` for a flow of a label. */
  device_id: shown(z.nullable(id)),
  /** The id of a function of the console, a UUID. The spec does not show what it does. */
  function_id: shown(z.nullable(id)),
  /** The id of the organization: a UUID. */
  organization_id: id,
});

/** A connection between an integration and a label or a device. */
export interface Flow extends z.output<typeof flowFields> {}
export const Flow: SchemaOf<Flow, typeof flowFields> = flowFields;

const path = {
  /** The id of the flow: a UUID. */
  flow_id: id,
};
const ofIntegration = {
  /** The id of the integration: a UUID. */
  integration_id: id,
};
const common = {
  ...ofIntegration,
  /** The id of a function of the console, a UUID. The published spec does not show what it does. */
  function_id: z.optional(id),
};
const never = z.optional(
  z.custom<undefined>(
    (value) => value === undefined,
    "must be left out: a flow has exactly one of label_id and device_id",
  ),
);
const newFlow = z.union([
  input({
    ...common,
    /** The id of the label whose devices are connected, a UUID; leave `device_id` out. */
    label_id: id,
    /** Left out: the flow is for a label. */
    device_id: never,
  }),
  input({
    ...common,
    /** The id of the device that is connected, a UUID; leave `label_id` out. */
    device_id: id,
    /** Left out: the flow is for a device. */
    label_id: never,
  }),
]);

/** The input for a new flow: an integration, and either a label or a device. */
export type NewFlow = z.output<typeof newFlow>;

/** The endpoints of flows, one row for each. The client makes the methods of `client.flows` from them. */
export const flows = {
  /**
   * List the flows of an integration.
   *
   * @throws An {@link ApiError} with 404: Integration not found (observed)
   * @throws A {@link CallError} for every other failure
   * @example
   * ```ts
   * const flows = await client.flows.list({ integration_id });
   * ```
   */
  list: endpoint("GET /api/v1/flows", {
    query: ofIntegration,
    result: z.array(Flow),
    errors: { 404: "Integration not found" },
  }),

  /**
   * Connect an integration to a label or to a device: pass exactly one of `label_id` and `device_id`.
   *
   * The output has the console's message and the integration. Some deployments send only the message (observed).
   *
   * @throws An {@link ApiError} with 404: Integration, label or device not found (observed)
   * @throws An {@link ApiError} with 422: The flow was not accepted (observed)
   * @throws A {@link CallError} for every other failure
   * @example
   * ```ts
   * const { message } = await client.flows.create({ integration_id, label_id: label.id });
   * ```
   */
  create: endpoint("POST /api/v1/flows", {
    body: newFlow,
    result: CreatedFlow,
    errors: { 404: "Integration, label or device not found", 422: "The flow was not accepted" },
  }),

  /**
   * Delete a flow. Returns the console's confirmation message.
   *
   * @throws An {@link ApiError} with 404: Flow not found (observed)
   * @throws A {@link CallError} for every other failure
   * @example
   * ```ts
   * await client.flows.delete({ flow_id });
   * ```
   */
  delete: endpoint("DELETE /api/v1/flows/:flow_id", {
    path,
    result: text(),
    errors: { 404: "Flow not found" },
  }),
};

/** Flows of the organization. */
export interface Flows extends Methods<typeof flows> {}
