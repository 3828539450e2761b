import * as z from "@fieldmesh/core/internal/zod";
import { guess, partial, record, type SchemaOf } from "@fieldmesh/core/internal/schema";
import { id, input, labelName } from "./fields.ts";

const labelFields = record({
  /** The id of the label: a UUID. */
  id,
  /** The name of the label. */
  name: z.string(),
  /**
   * The maximum number of copies of a packet that are bought (observed). Only `find` and `get` return it, and they may omit
   * it too (observed).
   */
  multi_buy: z.nullish(z.int()),
  /** Whether LoRaWAN adaptive data rate (ADR) is allowed. Not in the spec (observed). */
  adr_allowed: guess(z.nullish(z.boolean())),
  /** Whether the LoRaWAN channel list (CFList) is enabled. Not in the spec (observed). */
  cf_list_enabled: guess(z.nullish(z.boolean())),
  /** The LoRaWAN receive delay. Not in the spec (observed). */
  rx_delay: guess(z.nullish(z.int())),
  /** The id of the attached config profile, a UUID. Not in the spec (observed). */
  config_profile_id: guess(z.nullish(id)),
});

/** A named group of devices. Flows connect it to integrations; `labels.setConfigProfile` attaches a config profile. */
export interface Label extends z.output<typeof labelFields> {}
export const Label: SchemaOf<Label, typeof labelFields> = labelFields;

const changedFields = partial(labelFields);

/**
 * A label as a change or an integration returns it. The spec does not describe its fields there: any of them may be absent or
 * have another type.
 */
export interface ChangedLabel extends z.output<typeof changedFields> {}
export const ChangedLabel: SchemaOf<ChangedLabel, typeof changedFields> = changedFields;

const newLabelFields = input({
  /** The name: up to 50 characters, and unique in the organization (observed). */
  name: labelName,
  /** The id of the config profile to attach, a UUID. */
  config_profile_id: z.optional(id),
});

/** The input for a new label. */
export interface NewLabel extends z.output<typeof newLabelFields> {}
export const NewLabel: SchemaOf<NewLabel, typeof newLabelFields> = newLabelFields;
