import type { Samples } from "@fieldmesh/http/internal";
import type { integrations as rows } from "../integrations.ts";
import { bare, cloudA, cloudB, http, mqtt, name } from "./records.ts";

/** The examples of the endpoints of integrations, in wire format. */
export const integrations: Samples<typeof rows> = {
  list: { input: {}, output: [bare] },
  get: { input: { integration_id: bare.id }, output: bare },
  find: { input: { name }, output: bare },
  createPrebuilt: { input: { name, type: "partner1", token: "t0ken" }, output: bare },
  createHttp: {
    input: { name, type: "http", ...http },
    output: { ...bare, type: "http", credentials: http },
  },
  createMqtt: {
    input: { name, type: "mqtt", ...mqtt },
    output: {
      ...bare,
      type: "mqtt",
      credentials: {
        endpoint: mqtt.endpoint,
        uplink: { topic: mqtt.uplink_topic },
        downlink: { topic: mqtt.downlink_topic },
      },
    },
  },
  createCloudA: {
    input: { name, type: "cloudA", ...cloudA },
    output: {
      ...bare,
      type: "cloudA",
      credentials: {
        cloudA_policy_name: "fieldmesh",
        cloudA_hub_name: "fleet",
        cloudA_policy_key: "cG9saWN5LWtleQ==",
      },
    },
  },
  createCloudB: {
    input: { name, type: "cloudB", ...cloudB },
    output: { ...bare, type: "cloudB", credentials: cloudB },
  },
  delete: { input: { integration_id: bare.id }, output: { id: bare.id, name } },
};
