import * as z from "zod/mini";
import { record, type SchemaOf } from "@fieldmesh/core/schema";
import { id, labelName, undocumented } from "./fields.ts";

const labelFields = record({
  id,
  name: z.string(),
  /** The most copies of a packet that are bought. Only `find` and `get` return it, and not in all deployments. */
  multi_buy: z.nullish(z.int()),
  /** Not in the published spec; running deployments may carry it. */
  adr_allowed: z.nullish(z.boolean()),
  /** Not in the published spec; running deployments may carry it. */
  cf_list_enabled: z.nullish(z.boolean()),
  /** Not in the published spec; running deployments may carry it. */
  rx_delay: z.nullish(z.int()),
  /** Not in the published spec; running deployments may carry it. */
  config_profile_id: z.nullish(id),
});

/** A named group of devices. Integrations and config profiles are attached to it through flows. */
export interface Label extends z.output<typeof labelFields> {}
export const Label: SchemaOf<Label, typeof labelFields> = labelFields;

const changedFields = z.partial(labelFields);

/** A label after a change. The spec does not show this response, so any field may be absent. */
export interface ChangedLabel extends z.output<typeof changedFields> {}
export const ChangedLabel: SchemaOf<ChangedLabel, typeof changedFields> =
  undocumented(changedFields);

const newLabelFields = z.strictObject({ name: labelName, config_profile_id: z.optional(id) });

/** What a label is created from. */
export interface NewLabel extends z.output<typeof newLabelFields> {}
export const NewLabel: SchemaOf<NewLabel, typeof newLabelFields> = newLabelFields;
