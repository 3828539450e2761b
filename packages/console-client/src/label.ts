import * as z from "@fieldmesh/core/internal/zod";
import {
  guess,
  partial,
  record,
  seen,
  shown,
  type SchemaOf,
} from "@fieldmesh/core/internal/schema";
import { id, input, labelName } from "./fields.ts";

const identity = {
  /** The id of the label: a UUID. */
  id,
  /** The name of the label. */
  name: z.string(),
};

const observedFields = {
  /** Whether LoRaWAN adaptive data rate (ADR) is allowed. Not in the spec (observed). */
  adr_allowed: guess(z.nullish(z.boolean())),
  /** Whether the LoRaWAN channel list (CFList) is enabled. Not in the spec (observed). */
  cf_list_enabled: guess(z.nullish(z.boolean())),
  /** The LoRaWAN receive delay. Not in the spec (observed). */
  rx_delay: guess(z.nullish(z.int())),
  /** The id of the attached config profile, a UUID. Not in the spec (observed). */
  config_profile_id: guess(z.nullish(id)),
};

const labelFields = record({
  ...identity,
  /** An integer. The spec says nothing more. It may be absent (observed). */
  multi_buy: seen(shown(z.optional(z.int()))),
  ...observedFields,
});

/** A named group of devices. Flows connect it to integrations; `labels.setConfigProfile` attaches a config profile. */
export interface Label extends z.output<typeof labelFields> {}
export const Label: SchemaOf<Label, typeof labelFields> = labelFields;

const listedFields = record({
  ...identity,
  /** An integer. The spec shows it only in `find` and `get`. */
  multi_buy: guess(z.nullish(z.int())),
  ...observedFields,
});

/** A label as the list returns it. The spec shows its id and its name there. */
export interface ListedLabel extends z.output<typeof listedFields> {}
export const ListedLabel: SchemaOf<ListedLabel, typeof listedFields> = listedFields;

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
