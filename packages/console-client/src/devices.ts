import * as z from "zod";
import { record, secret } from "@fieldmesh/core/schema";
import { endpoint, type Methods } from "@fieldmesh/http";
import { appKeyInput, deviceName, euiInput, id, stamp } from "./fields.js";

const deviceLabelFields = record({
  adr_allowed: z.boolean().nullish(),
  cf_list_enabled: z.boolean().nullish(),
  config_profile_id: id.nullish(),
  id,
  name: z.string(),
  rx_delay: z.int().nullish(),
});

/** A label as it stands inside a device. */
export interface DeviceLabel extends z.output<typeof deviceLabelFields> {}
export const DeviceLabel: z.ZodType<DeviceLabel, z.input<typeof deviceLabelFields>> = deviceLabelFields;

const deviceFields = record({
  /** Whether packets of the device are accepted. In the list only; absent when looked up by id. */
  active: z.boolean().optional(),
  adr_allowed: z.boolean().nullish(),
  /** LoRaWAN application EUI (JoinEUI), 16 hexadecimal digits. */
  app_eui: z.string(),
  /** LoRaWAN application key, 32 hexadecimal digits. Whoever has it can act as the device. */
  app_key: secret(),
  cf_list_enabled: z.boolean().nullish(),
  config_profile_id: id.nullish(),
  /** Data credits used so far. */
  dc_usage: z.int(),
  /** LoRaWAN device EUI, 16 hexadecimal digits. */
  dev_eui: z.string(),
  id,
  /** Whether the network's filter of known devices already holds this one. */
  in_xor_filter: z.boolean(),
  labels: z.array(DeviceLabel),
  /** When the device was last heard: UTC without a zone, so read it with `parseUtc`. `null` for never. */
  last_connected: stamp.nullish(),
  name: z.string(),
  organization_id: id,
  oui: z.int(),
  rx_delay: z.int().nullish(),
  total_packets: z.int(),
  /** Not in the published spec; running deployments may carry it. */
  region: z.string().nullish(),
  /** Not in the published spec; running deployments may carry it. */
  devaddr: z.string().nullish(),
  /** Network session key. Not in the published spec; running deployments may carry it. */
  nwk_s_key: secret().nullish(),
  /** Application session key. Not in the published spec; running deployments may carry it. */
  app_s_key: secret().nullish(),
});

/** A LoRaWAN device of the organization. */
export interface Device extends z.output<typeof deviceFields> {}
export const Device: z.ZodType<Device, z.input<typeof deviceFields>> = deviceFields;

const newDeviceFields = z.strictObject({
  name: deviceName,
  app_eui: euiInput,
  app_key: appKeyInput,
  dev_eui: euiInput,
  config_profile_id: id.optional(),
  label_ids: z.array(id).optional(),
});

/** What a device is created from: a name of 1 to 52 characters, EUIs of 16 and a key of 32 hexadecimal digits. */
export interface NewDevice extends z.output<typeof newDeviceFields> {}
export const NewDevice: z.ZodType<NewDevice, z.input<typeof newDeviceFields>> = newDeviceFields;

const createdDeviceFields = record({
  app_eui: z.string(),
  app_key: secret(),
  config_profile_id: id.nullish(),
  dev_eui: z.string(),
  id,
  labels: z.array(DeviceLabel).optional(),
  name: z.string(),
});

/** A device of a bulk create that is now in the console. */
export interface CreatedDevice extends z.output<typeof createdDeviceFields> {}

const failedDeviceFields = record({
  app_eui: z.string().nullish(),
  app_key: secret().nullish(),
  dev_eui: z.string().nullish(),
  /** What is wrong, usually `<field>: <message>`. */
  error: z.string(),
  organization_id: id.nullish(),
  oui: z.int().nullish(),
});

/** A device of a bulk create that was refused. */
export interface FailedDevice extends z.output<typeof failedDeviceFields> {}

const batchFields = record({
  success: z.array(createdDeviceFields as z.ZodType<CreatedDevice, z.input<typeof createdDeviceFields>>),
  failure: z.array(failedDeviceFields as z.ZodType<FailedDevice, z.input<typeof failedDeviceFields>>),
});

/** What a bulk create came to. Neither list is in the order of the input: match by EUI. */
export interface DeviceBatch extends z.output<typeof batchFields> {}
export const DeviceBatch: z.ZodType<DeviceBatch, z.input<typeof batchFields>> = batchFields;

/** The most devices that one bulk create takes. */
export const MAX_BATCH = 1_000;

const tank = {
  name: "Tank 7",
  app_eui: "70B3D57ED0000001",
  app_key: "2B7E151628AED2A6ABF7158809CF4F3C",
  dev_eui: "0004A30B001C0530",
};
const organization_id = "8b6cf2a4-90a1-4b3e-9f61-3c2d1e5a7b11";
const created = {
  ...tank,
  adr_allowed: null,
  cf_list_enabled: null,
  config_profile_id: null,
  dc_usage: 0,
  id: "d2f0c5b1-6c0d-4f7e-8d39-51d1a2b3c4d5",
  in_xor_filter: false,
  labels: [],
  last_connected: null,
  organization_id,
  oui: 1,
  total_packets: 0,
};

export const devices = {
  /**
   * List all devices of the organization, in one answer: the console has no paging here. A large fleet takes the
   * server over 2 s and comes to some 700 bytes a device; see `timeout` and `maxResponseBytes`.
   *
   * @example
   * ```ts
   * const silent = (await client.devices.list()).filter((device) => device.last_connected == null);
   * ```
   */
  list: endpoint("GET /api/v1/devices", {
    result: z.array(Device),
    sample: {
      input: {},
      output: [{ ...created, active: true, rx_delay: 1, last_connected: "2026-11-20T08:30:00", total_packets: 412, dc_usage: 412 }],
    },
  }),

  /**
   * Get a device by its id.
   *
   * @example
   * ```ts
   * const device = await client.devices.get({ device_id });
   * ```
   */
  get: endpoint("GET /api/v1/devices/:device_id", {
    path: { device_id: id },
    result: Device,
    errors: { 404: "Device not found" },
    sample: { input: { device_id: created.id }, output: created },
  }),

  /**
   * Create one device. EUIs and key are checked and sent upper-case, because the console looks them up exactly.
   *
   * One hosted deployment has this endpoint disabled: use `createBatch` there, with a single device.
   * The spec does not show the answer; running deployments give the full record.
   *
   * @example
   * ```ts
   * const device = await client.devices.create({
   *   name: "Tank 7",
   *   dev_eui: "0004A30B001C0530",
   *   app_eui: "70B3D57ED0000001",
   *   app_key: "2B7E151628AED2A6ABF7158809CF4F3C",
   * });
   * ```
   */
  create: endpoint("POST /api/v1/devices", {
    body: NewDevice,
    result: Device,
    status: 201,
    open: true,
    errors: {
      403: "Creating single devices may be disabled on this deployment; use devices.createBatch",
      422: "The device was not accepted",
    },
    sample: { input: tank, output: created },
  }),

  /**
   * Create up to 1,000 devices in one request. Each ends up in `success` or in `failure`; both come in the order in
   * which the console finished them, so match by EUI and never by index.
   *
   * A request that breaks off may have been carried out and is not sent again (`outcome` of the error says so).
   *
   * @example
   * ```ts
   * const { success, failure } = await client.devices.createBatch({ devices });
   * for (const { dev_eui, error } of failure) console.error(dev_eui, error);
   * ```
   */
  createBatch: endpoint("POST /api/v1/devices", {
    body: z.strictObject({
      devices: z
        .array(NewDevice)
        .min(1, "must hold at least one device")
        .max(MAX_BATCH, `must hold at most ${MAX_BATCH} devices`),
    }),
    result: DeviceBatch,
    errors: { 400: "The number of devices was not accepted" },
    sample: {
      input: { devices: [tank] },
      output: {
        success: [{ ...tank, config_profile_id: null, id: created.id, labels: [] }],
        failure: [
          { ...tank, dev_eui: "0004A30B001C0531", error: "dev_eui: has already been taken", organization_id, oui: 1 },
        ],
      },
    },
  }),
};

/** Devices of the organization. */
export interface Devices extends Methods<typeof devices> {}
