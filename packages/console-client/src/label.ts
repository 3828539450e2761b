import * as z from "zod";
import { record } from "@fieldmesh/core/schema";
import { id, labelName, undocumented } from "./fields.ts";

const labelFields = record({
  id,
  name: z.string(),
  /** Copies of a packet that are bought at most. In answers of `find` and `get` only, and not in all deployments. */
  multi_buy: z.int().nullish(),
  /** Not in the published spec; running deployments may carry it. */
  adr_allowed: z.boolean().nullish(),
  /** Not in the published spec; running deployments may carry it. */
  cf_list_enabled: z.boolean().nullish(),
  /** Not in the published spec; running deployments may carry it. */
  rx_delay: z.int().nullish(),
  /** Not in the published spec; running deployments may carry it. */
  config_profile_id: id.nullish(),
});

/** A named group of devices. Integrations and config profiles are attached to it through flows. */
export interface Label extends z.output<typeof labelFields> {}
export const Label: z.ZodType<Label, z.input<typeof labelFields>> = labelFields;

const changedFields = labelFields.partial();

/** A label after a change. The spec does not show this answer, so any field may be absent. */
export interface ChangedLabel extends z.output<typeof changedFields> {}
export const ChangedLabel: z.ZodType<ChangedLabel, z.input<typeof changedFields>> = undocumented(
  changedFields,
);

const newLabelFields = z.strictObject({ name: labelName, config_profile_id: id.optional() });

/** What a label is created from. */
export interface NewLabel extends z.output<typeof newLabelFields> {}
export const NewLabel: z.ZodType<NewLabel, z.input<typeof newLabelFields>> = newLabelFields;
