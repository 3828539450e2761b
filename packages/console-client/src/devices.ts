import * as z from "@fieldmesh/core/internal/zod";
import { firstOf, observed } from "@fieldmesh/core/internal/schema";
import { endpoint, text, type Methods } from "@fieldmesh/http/internal";
import type { BulkChanges } from "./bulk/change-many.ts";
import type { BulkCreation } from "./bulk/create-many.ts";
import type { DeviceCreation } from "./create-device.ts";
import type { DeviceStream } from "./each-device.ts";
import type { EventFollower, FollowEventsOptions } from "./follow/follow-types.ts";
import {
  ChangedDevice,
  Device,
  DeviceBatch,
  DeviceDescriptor,
  FoundDevice,
  joinFields,
  NewDevice,
} from "./device.ts";
import { DeviceEvent, IntegrationEvent } from "./device-event.ts";
import {
  activation,
  appKeyInput,
  euiInput,
  id,
  input,
  MAX_BATCH,
  profileChange,
} from "./fields.ts";

const notFound = { 404: "Device not found" };
const path = {
  /** The id of the device: a UUID. */
  device_id: id,
};
const batch = z
  .array(NewDevice)
  .check(z.maxLength(MAX_BATCH, `must have at most ${MAX_BATCH} devices`));

/** The endpoints of devices, one row for each. The client makes the methods of `client.devices` from them. */
export const devices = {
  /**
   * List all devices of the organization in one response: the console does not page this list. For a large fleet, the
   * response takes over 2 s and has about 700 bytes per device (observed): see `timeout`. Above about 200,000 devices, use
   * `each`, which reads a list of any size.
   *
   * @throws A {@link CallError} if the call fails
   * @example
   * ```ts
   * const silent = (await client.devices.list()).filter((device) => device.last_connected == null);
   * ```
   */
  list: endpoint("GET /api/v1/devices", {
    result: z.array(Device),
    readByRecord: "devices.each",
  }),

  /**
   * Find a device by its two EUIs and its key. All three are required and must match exactly. Returns `undefined` if no device
   * matches: a 404 with the console's own error (observed).
   *
   * The key is part of the URL, which servers and proxies may log: prefer `get`. Some deployments return the full record, or a
   * list (observed). The client always returns one device.
   *
   * @throws An {@link ApiError} with any other 404, such as that of a proxy: the address may be wrong
   * @throws A {@link CallError} for every other failure
   * @example
   * ```ts
   * const device = await client.devices.find({ dev_eui, app_eui, app_key });
   * ```
   */
  find: endpoint("GET /api/v1/devices", {
    query: joinFields,
    result: firstOf(DeviceDescriptor),
    mayBeAbsent: true,
    errors: notFound,
  }),

  /**
   * Get a device by its id.
   *
   * @throws An {@link ApiError} with 404: Device not found (observed)
   * @throws A {@link CallError} for every other failure
   * @example
   * ```ts
   * const device = await client.devices.get({ device_id });
   * ```
   */
  get: endpoint("GET /api/v1/devices/:device_id", {
    path,
    result: FoundDevice,
    errors: notFound,
  }),

  /**
   * List the last 100 events of a device. More kinds of events may occur: narrow with `isUplinkEvent`. To follow new ones, use
   * `follow`.
   *
   * @throws An {@link ApiError} with 404: Device not found (observed)
   * @throws A {@link CallError} for every other failure
   * @example
   * ```ts
   * const uplinks = (await client.devices.events({ device_id })).filter(isUplinkEvent);
   * ```
   */
  events: endpoint("GET /api/v1/devices/:device_id/events", {
    path,
    result: z.array(DeviceEvent),
    errors: notFound,
  }),

  /**
   * List the last 10 integration events of a device: what was sent to which integration, and with which status.
   *
   * @throws An {@link ApiError} with 404: Device not found (observed)
   * @throws A {@link CallError} for every other failure
   * @example
   * ```ts
   * for (const { data } of await client.devices.integrationEvents({ device_id }))
   *   console.log(data.integration.name, data.integration.status);
   * ```
   */
  integrationEvents: endpoint(
    "GET /api/v1/devices/:device_id/events?sub_category=uplink_integration_req",
    {
      path,
      result: z.array(IntegrationEvent),
      errors: notFound,
    },
  ),

  /**
   * Create one device. The EUIs and the key are sent in upper case, because the console compares them exactly (observed).
   *
   * One hosted deployment has disabled this endpoint: use `createBatch` there, with a single device. The spec does not
   * describe the response. If it is not the record (observed), the client reads the device back from the device list, or by its
   * EUIs and its key if you set `lookUp`.
   *
   * @throws A {@link ResponseValidationError} if the device was created, but reading it back did not find it
   * @throws An {@link ApiError} with 403: Creating single devices may be disabled on this deployment; use devices.createBatch (observed)
   * @throws An {@link ApiError} with 422: The device was not accepted (observed)
   * @throws A {@link CallError} for every other failure
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
    result: FoundDevice,
    status: 201,
    open: "lookUp",
    errors: {
      403: "Creating single devices may be disabled on this deployment; use devices.createBatch",
      422: "The device was not accepted",
    },
  }),

  /**
   * Create up to 1,000 devices in one request. Each device is in `success` or in `failure`. Both lists are in the order in
   * which the console finished the devices (observed), so match by EUI and never by index.
   *
   * If the response is lost, the console may have created the devices. The client does not retry: see `outcome` of the
   * error.
   *
   * @throws An {@link ApiError} with 400: The number of devices was rejected: send 1 to 1,000 (observed)
   * @throws A {@link CallError} for every other failure
   * @example
   * ```ts
   * const { success, failure } = await client.devices.createBatch({ devices });
   * for (const { dev_eui, error } of failure) console.error(dev_eui, error);
   * ```
   */
  createBatch: endpoint("POST /api/v1/devices", {
    body: input({
      /** The devices: up to 1,000, and at least one (observed). */
      devices: observed(batch.check(z.minLength(1, "must have at least one device")), batch),
    }),
    result: DeviceBatch,
    errors: { 400: "The number of devices was rejected: send 1 to 1,000" },
  }),

  /**
   * Delete a device. Returns the console's confirmation message.
   *
   * A retry after a lost response can receive a 404. The error then says that an earlier attempt may have deleted the device.
   *
   * @throws An {@link ApiError} with 404: Device not found (observed)
   * @throws A {@link CallError} for every other failure
   * @example
   * ```ts
   * await client.devices.delete({ id: device.id });
   * ```
   */
  delete: endpoint("DELETE /api/v1/devices/:id", {
    path: {
      /** The id of the device: a UUID. */
      id,
    },
    result: text(),
    errors: notFound,
  }),

  /**
   * Activate or deactivate a device. The console drops the packets of an inactive device (observed).
   *
   * The spec does not describe the response. The output is the device (observed), or `undefined` if the response has none:
   * `withResponse` returns what came.
   *
   * @throws An {@link ApiError} with 404: Device not found (observed)
   * @throws A {@link CallError} for every other failure
   * @example
   * ```ts
   * await client.devices.setActive({ device_id, active: false });
   * ```
   */
  setActive: endpoint("PUT /api/v1/devices/:device_id", {
    path,
    body: activation,
    result: ChangedDevice,
    open: "optional",
    errors: notFound,
  }),

  /**
   * Activate or deactivate every device that matches the EUIs. An omitted `app_eui` or `app_key` matches any value.
   *
   * Pass `app_key` only if you need it: it is part of the URL, which servers may log. The spec does not describe the
   * response. The output is one record if you pass `dev_eui`, `app_eui` and `app_key`, otherwise an array (observed), or
   * `undefined` if the response has none: `withResponse` returns what came.
   *
   * @throws An {@link ApiError} with 404: Device not found (observed)
   * @throws A {@link CallError} for every other failure
   * @example
   * ```ts
   * const changed = await client.devices.setActiveByEui({ dev_eui, active: false });
   * ```
   */
  setActiveByEui: endpoint("PUT /api/v1/devices/active", {
    query: {
      /** The device EUI: 16 hexadecimal digits, sent in upper case (observed). */
      dev_eui: euiInput,
      /**
       * The application EUI, to change only devices that have this one too: 16 hexadecimal digits, sent in upper case
       * (observed).
       */
      app_eui: z.optional(euiInput),
      /**
       * The application key, to change only devices that have this one too: 32 hexadecimal digits, sent in upper case
       * (observed). Servers may log it.
       */
      app_key: z.optional(appKeyInput),
    },
    body: activation,
    result: z.union([z.array(ChangedDevice), ChangedDevice]),
    open: "optional",
    errors: notFound,
  }),

  /**
   * Attach a config profile to a device, or remove it with `null`.
   *
   * The spec does not describe the response. The output is the device (observed), or `undefined` if the response has none:
   * `withResponse` returns what came.
   *
   * @throws An {@link ApiError} with 404: Device not found (observed)
   * @throws A {@link CallError} for every other failure
   * @example
   * ```ts
   * await client.devices.setConfigProfile({ device_id, config_profile_id: null });
   * ```
   */
  setConfigProfile: endpoint("PUT /api/v1/devices/:device_id", {
    path,
    body: profileChange,
    result: ChangedDevice,
    open: "optional",
    errors: notFound,
  }),

  /**
   * Add a device to a label. Returns the console's confirmation message.
   *
   * If the response is lost, the client does not retry the request, and the device may already be in the label.
   *
   * @throws An {@link ApiError} with 404: Device or label not found (observed)
   * @throws A {@link CallError} for every other failure
   * @example
   * ```ts
   * await client.devices.addLabel({ device_id, label: label.id });
   * ```
   */
  addLabel: endpoint("POST /api/v1/devices/:device_id/labels", {
    path,
    body: input({
      /** The id of the label: a UUID. */
      label: id,
    }),
    result: text(),
    errors: { 404: "Device or label not found" },
  }),

  /**
   * Remove a device from a label. Returns the console's message, which is `Device was not in label` if the device was not in
   * the label (observed).
   *
   * @throws An {@link ApiError} with 404: Device or label not found (observed)
   * @throws A {@link CallError} for every other failure
   * @example
   * ```ts
   * await client.devices.removeLabel({ device_id, label_id: label.id });
   * ```
   */
  removeLabel: endpoint("DELETE /api/v1/devices/:device_id/labels/:label_id", {
    path: {
      ...path,
      /** The id of the label: a UUID. */
      label_id: id,
    },
    result: text(),
    errors: { 404: "Device or label not found" },
  }),
};

/** Devices of the organization. */
export interface Devices
  extends
    Methods<Omit<typeof devices, "create">>,
    DeviceStream,
    DeviceCreation,
    BulkCreation,
    BulkChanges {
  /**
   * Follow the events of a device: those that the console still returns, and new ones as they come. Only `break`, `return()` or the
   * signal ends it, each without an error.
   *
   * It requests the last 100 events again and again. It waits for a quarter of the time since the last new event, within `minWait` and
   * `maxWait`. Of the events of a response, it returns the new ones, ordered by `reported_at`. If none of a response was seen before,
   * more may have come than the console returns: `onGap` receives it.
   *
   * Events have no id (observed), so two events are equal if all their fields are. Two equal events in one response are two events. An
   * event that the console changes later is a new one. An event that the console adds late is returned late.
   *
   * @throws A {@link CheckpointError} from the first `next()`, if the checkpoint cannot be used
   * @throws A {@link CallError} from `next()`, if a request fails
   * @example
   * ```ts
   * for await (const event of client.devices.follow({ device_id })) {
   *   if (isUplinkEvent(event)) console.log(event.data.fcnt, event.data.payload);
   *   break;
   * }
   * ```
   */
  follow(
    input: {
      /** The id of the device: a UUID. */
      device_id: string;
    },
    options?: FollowEventsOptions,
  ): EventFollower;
}
