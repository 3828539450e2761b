import * as z from "@fieldmesh/core/internal/zod";
import {
  count,
  guess,
  partial,
  record,
  secret,
  seen,
  shown,
  type SchemaOf,
} from "@fieldmesh/core/internal/schema";
import { appKeyInput, deviceName, euiInput, id, input, newDevEuiInput, stamp } from "./fields.ts";

const deviceLabelFields = record({
  /** Whether LoRaWAN adaptive data rate (ADR) is allowed, or `null`. It may be absent (observed). */
  adr_allowed: seen(z.nullish(z.boolean())),
  /** Whether the LoRaWAN channel list (CFList) is enabled, or `null`. It may be absent (observed). */
  cf_list_enabled: seen(z.nullish(z.boolean())),
  /** The id of the attached config profile, a UUID; `null` if there is none. It may be absent (observed). */
  config_profile_id: seen(z.nullish(id)),
  /** The id of the label: a UUID. */
  id,
  /** The name of the label. */
  name: z.string(),
  /** The LoRaWAN receive delay, or `null`. The spec states no unit. It may be absent (observed). */
  rx_delay: seen(z.nullish(z.int())),
});

/** A label inside a device. */
export interface DeviceLabel extends z.output<typeof deviceLabelFields> {}
export const DeviceLabel: SchemaOf<DeviceLabel, typeof deviceLabelFields> = deviceLabelFields;

const identity = {
  /** The id of the device: a UUID. */
  id,
  /** The name of the device. */
  name: z.string(),
  /** LoRaWAN device EUI: 16 hexadecimal digits (observed). */
  dev_eui: z.string(),
  /** LoRaWAN application EUI (JoinEUI): 16 hexadecimal digits (observed). */
  app_eui: z.string(),
  /** LoRaWAN application key, a shared secret: 32 hexadecimal digits (observed). */
  app_key: secret(),
};

const shownFields = {
  ...identity,
  /** Whether LoRaWAN adaptive data rate (ADR) is allowed, or `null`. The spec says nothing more. */
  adr_allowed: shown(z.nullable(z.boolean())),
  /** Whether the LoRaWAN channel list (CFList) is enabled, or `null`. The spec says nothing more. */
  cf_list_enabled: shown(z.nullable(z.boolean())),
  /** The data credits used. */
  dc_usage: count(),
  /** A boolean. The spec says nothing more. */
  in_xor_filter: z.boolean(),
  /** The labels that the device is in. */
  labels: z.array(DeviceLabel),
  /** The last connection, in UTC without a zone: read it with `parseUtc`. It may be `null` (observed). */
  last_connected: seen(shown(z.nullable(stamp))),
  /** The id of the organization that the device belongs to: a UUID. */
  organization_id: id,
  /** The OUI, a number. The spec says nothing more. */
  oui: z.int(),
  /** A number of packets. The spec says nothing more. */
  total_packets: count(),
};

const observedFields = {
  /** The LoRaWAN region. Not in the spec (observed). */
  region: guess(z.nullish(z.string())),
  /** The LoRaWAN device address. Not in the spec (observed). */
  devaddr: guess(z.nullish(z.string())),
  /** Network session key (observed). */
  nwk_s_key: guess(z.nullish(secret())),
  /** Application session key (observed). */
  app_s_key: guess(z.nullish(secret())),
};

const deviceFields = record({
  ...shownFields,
  /** Whether the device is active: the console accepts its packets (observed). */
  active: shown(z.boolean()),
  /** The id of the attached config profile, a UUID; `null` if there is none. */
  config_profile_id: shown(z.nullable(id)),
  /** The LoRaWAN receive delay. The spec states no unit. */
  rx_delay: shown(z.int()),
  ...observedFields,
});

/** A LoRaWAN device of the organization, as the list returns it. */
export interface Device extends z.output<typeof deviceFields> {}
export const Device: SchemaOf<Device, typeof deviceFields> = deviceFields;

const foundFields = record({
  ...shownFields,
  /** Whether the device is active. The spec shows it only in `devices.list`. */
  active: guess(z.nullish(z.boolean())),
  /** The id of the attached config profile, a UUID. The spec shows it only in `devices.list`. */
  config_profile_id: guess(z.nullish(id)),
  /** The LoRaWAN receive delay. The spec shows it only in `devices.list`. */
  rx_delay: guess(z.nullish(z.int())),
  ...observedFields,
});

/** A device as a lookup by its id returns it. The spec shows three fields fewer than in the list. */
export interface FoundDevice extends z.output<typeof foundFields> {}
export const FoundDevice: SchemaOf<FoundDevice, typeof foundFields> = foundFields;

/** The EUIs and the key of a device, as they are sent. */
export const joinFields = {
  /** The LoRaWAN application EUI (JoinEUI): 16 hexadecimal digits, sent in upper case (observed). */
  app_eui: euiInput,
  /**
   * The LoRaWAN application key, a shared secret, as a string or a Secret: 32 hexadecimal digits, sent in upper case
   * (observed).
   */
  app_key: appKeyInput,
  /** The LoRaWAN device EUI: 16 hexadecimal digits, sent in upper case (observed). */
  dev_eui: euiInput,
};

const newDeviceFields = input({
  /** The name that the console shows: up to 52 characters (observed). */
  name: deviceName,
  ...joinFields,
  /** The LoRaWAN device EUI: 16 hexadecimal digits, sent in upper case; zeros only or F only is a placeholder (observed). */
  dev_eui: newDevEuiInput,
  /** The id of the config profile to attach, a UUID. */
  config_profile_id: z.optional(id),
  /** The ids of the labels to add the device to, UUIDs. */
  label_ids: z.optional(z.array(id)),
});

/**
 * The input for a new device: a name of up to 52 characters (observed), two EUIs of 16 hexadecimal digits and a key of 32
 * (observed).
 */
export interface NewDevice extends z.output<typeof newDeviceFields> {}
export const NewDevice: SchemaOf<NewDevice, typeof newDeviceFields> = newDeviceFields;

const createdDeviceFields = record({
  ...identity,
  /** The id of the attached config profile, a UUID; `null` if there is none. */
  config_profile_id: shown(z.nullable(id)),
  /** The labels of the device. The spec does not show what they hold here. */
  labels: shown(z.array(guess(DeviceLabel))),
});

/** A device that a bulk create added to the console. */
export interface CreatedDevice extends z.output<typeof createdDeviceFields> {}

const failedDeviceFields = record({
  /** The application EUI of the rejected device. */
  app_eui: shown(z.string()),
  /** The application key of the rejected device. */
  app_key: shown(secret()),
  /** The EUI of the rejected device: match it with your input. */
  dev_eui: shown(z.string()),
  /** What is wrong: `<field>: <message>`, or another message (observed). */
  error: z.string(),
  /** The id of your organization: a UUID. */
  organization_id: shown(id),
  /** The OUI, a number. The spec says nothing more. */
  oui: shown(z.int()),
});

/** A device that the console rejected in a bulk create. */
export interface FailedDevice extends z.output<typeof failedDeviceFields> {}

const batchFields = record({
  /** The devices that are now in the console. */
  success: z.array(createdDeviceFields as SchemaOf<CreatedDevice, typeof createdDeviceFields>),
  /** The devices that the console rejected, with the reason. */
  failure: z.array(failedDeviceFields as SchemaOf<FailedDevice, typeof failedDeviceFields>),
});

/** The outcome of a bulk create. Neither list is in the order of the input: match by EUI. */
export interface DeviceBatch extends z.output<typeof batchFields> {}
export const DeviceBatch: SchemaOf<DeviceBatch, typeof batchFields> = batchFields;

const descriptorFields = record({
  ...identity,
  /** The id of the organization that the device belongs to: a UUID. */
  organization_id: id,
  /** The OUI, a number. The spec says nothing more. */
  oui: z.int(),
});

/** A device as a lookup by EUIs returns it. Some deployments return the full record (observed). */
export interface DeviceDescriptor extends z.output<typeof descriptorFields> {}
export const DeviceDescriptor: SchemaOf<DeviceDescriptor, typeof descriptorFields> =
  descriptorFields;

const changedFields = partial(deviceFields);

/**
 * A device as a change or an integration returns it. The spec does not describe its fields there: any of them may be absent or
 * have another type.
 */
export interface ChangedDevice extends z.output<typeof changedFields> {}
export const ChangedDevice: SchemaOf<ChangedDevice, typeof changedFields> = changedFields;
