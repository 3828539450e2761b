import * as z from "@fieldmesh/core/internal/zod";
import { memberOf } from "@fieldmesh/core/internal";
import {
  bind,
  endpoint,
  orLookUp,
  text,
  type Methods,
  type Transport,
} from "@fieldmesh/http/internal";
import { activation, id, profileChange, required } from "./fields.ts";
import { ChangedLabel, Label, ListedLabel, NewLabel } from "./label.ts";
const notFound = { 404: "Label not found" };
const path = {
  /** The id of the label: a UUID. */
  label_id: id,
};

/** The endpoints of labels, one row for each. The client makes the methods of `client.labels` from them. */
export const labels = {
  /**
   * List all labels of the organization in one response, with id and name.
   *
   * @throws A {@link CallError} if the call fails
   * @example
   * ```ts
   * for (const label of await client.labels.list()) console.log(label.id, label.name);
   * ```
   */
  list: endpoint("GET /api/v1/labels", {
    result: z.array(ListedLabel),
  }),

  /**
   * Find a label by its exact name (observed). Returns `undefined` if no label has this name: a 404 with the console's own
   * error.
   *
   * @throws An {@link ApiError} with any other 404, such as that of a proxy: the address may be wrong
   * @throws A {@link CallError} for every other failure
   * @example
   * ```ts
   * const pumps = await client.labels.find({ name: "Pumps" });
   * ```
   */
  find: endpoint("GET /api/v1/labels", {
    query: {
      /** The whole name of the label. */
      name: required,
    },
    result: Label,
    mayBeAbsent: true,
    errors: notFound,
  }),

  /**
   * Get a label by its id.
   *
   * @throws An {@link ApiError} with 404: Label not found
   * @throws A {@link CallError} for every other failure
   * @example
   * ```ts
   * const label = await client.labels.get({ label_id });
   * ```
   */
  get: endpoint("GET /api/v1/labels/:label_id", {
    path,
    result: Label,
    errors: notFound,
  }),

  /**
   * Create a label. Its name has up to 50 characters and must be unique in the organization. A taken name fails with 422
   * (observed).
   *
   * The spec does not describe the response. If it is not the record (observed), the client looks the label up by its name.
   *
   * @throws A {@link ResponseValidationError} if the label was created, but looking it up did not find it
   * @throws An {@link ApiError} with 422: The label was not accepted (observed)
   * @throws A {@link CallError} for every other failure
   * @example
   * ```ts
   * const label = await client.labels.create({ name: "Valves" });
   * ```
   */
  create: endpoint("POST /api/v1/labels", {
    body: NewLabel,
    result: Label,
    status: 201,
    open: "lookUp",
    errors: { 422: "The label was not accepted" },
  }),

  /**
   * Delete a label with all its links to devices. Returns the console's confirmation message.
   *
   * @throws An {@link ApiError} with 404: Label not found
   * @throws A {@link CallError} for every other failure
   * @example
   * ```ts
   * await client.labels.delete({ label_id });
   * ```
   */
  delete: endpoint("DELETE /api/v1/labels/:label_id", {
    path,
    result: text(),
    errors: notFound,
  }),

  /**
   * Activate or deactivate every device of a label.
   *
   * The spec does not describe the response. The output is a confirmation message (observed), the label, or `undefined` if the
   * response has neither: `withResponse` returns what came.
   *
   * @throws An {@link ApiError} with 404: Label not found (observed)
   * @throws A {@link CallError} for every other failure
   * @example
   * ```ts
   * await client.labels.setActive({ label_id, active: false });
   * ```
   */
  setActive: endpoint("PUT /api/v1/labels/:label_id/active", {
    path,
    body: activation,
    result: z.union([z.string(), ChangedLabel]),
    open: "optional",
    errors: notFound,
  }),

  /**
   * Attach a config profile to a label, or remove it with `null`.
   *
   * The spec does not describe the response. The output is the label, or `undefined` if the response has none: `withResponse`
   * returns what came.
   *
   * @throws An {@link ApiError} with 404: Label not found (observed)
   * @throws A {@link CallError} for every other failure
   * @example
   * ```ts
   * await client.labels.setConfigProfile({ label_id, config_profile_id: null });
   * ```
   */
  setConfigProfile: endpoint("PUT /api/v1/labels/:label_id", {
    path,
    body: profileChange,
    result: ChangedLabel,
    open: "optional",
    errors: notFound,
  }),
};

/** Labels of the organization. */
export interface Labels extends Methods<typeof labels> {}

/** Binds the rows. If the response to `create` has no record, the label is looked up by its name. */
export function bindLabels(transport: Transport): Labels {
  const methods = bind("labels", labels, transport);
  return {
    ...methods,
    create(input, options) {
      const name = memberOf(input, "name") as string;
      return orLookUp(methods.create(input, options), {
        endpoint: { call: "labels.create", row: labels.create },
        options,
        find: () => methods.find({ name }, options),
        advice: "Call labels.find before you create it again.",
      });
    },
  };
}
