import type { Samples } from "@fieldmesh/http/internal";
import type { devices as rows } from "../devices.ts";
import {
  created,
  integrationEvent,
  label_id,
  organization_id,
  tank,
  uplinkEvent,
} from "./records.ts";

/** The examples of the endpoints of devices, in wire format. */
export const devices: Samples<typeof rows> = {
  list: {
    input: {},
    output: [
      {
        ...created,
        active: true,
        rx_delay: 1,
        last_connected: "2026-11-20T08:30:00",
        total_packets: 412,
        dc_usage: 412,
      },
    ],
  },
  find: {
    input: { app_eui: tank.app_eui, app_key: tank.app_key, dev_eui: tank.dev_eui },
    output: { ...tank, id: created.id, organization_id, oui: 1 },
  },
  get: { input: { device_id: created.id }, output: created },
  events: { input: { device_id: created.id }, output: [uplinkEvent] },
  integrationEvents: { input: { device_id: created.id }, output: [integrationEvent] },
  create: { input: tank, output: created },
  createBatch: {
    input: { devices: [tank] },
    output: {
      success: [{ ...tank, config_profile_id: null, id: created.id, labels: [] }],
      failure: [
        {
          ...tank,
          dev_eui: "0004A30B001C0531",
          error: "dev_eui: has already been taken",
          organization_id,
          oui: 1,
        },
      ],
    },
  },
  delete: { input: { id: created.id }, output: "Device deleted" },
  setActive: {
    input: { device_id: created.id, active: false },
    output: { ...created, active: false },
  },
  setActiveByEui: {
    input: { dev_eui: tank.dev_eui, active: false },
    output: [{ ...created, active: false }],
  },
  setConfigProfile: { input: { device_id: created.id, config_profile_id: null }, output: created },
  addLabel: { input: { device_id: created.id, label: label_id }, output: "Device added to label" },
  removeLabel: { input: { device_id: created.id, label_id }, output: "Device removed from label" },
};
