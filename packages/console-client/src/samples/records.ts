// Wire values of integrations.

export const name = "Data lake";
export const bare = { id: "0f5c2b8e-17b9-4c52-9d0a-8a5d3f6b7c81", name, labels: [], devices: [] };
export const http = {
  endpoint: "https://lake.example.com/uplinks",
  method: "post" as const,
  headers: { authorization: "Bearer t0ken" },
};
export const mqtt = {
  endpoint: "mqtts://user:passw0rd@broker.example.com:8883",
  uplink_topic: "fleet/up",
  downlink_topic: "fleet/down",
};
export const cloudA = {
  cloudA_policy_name: "fieldmesh",
  cloudA_hub_name: "fleet",
  cloudA_primary_key: "cG9saWN5LWtleQ==",
};
export const cloudB = {
  topic: "fleet/up",
  cloudB_access_key: "AK0123456789",
  cloudB_secret_key: "s3cr3t",
  cloudB_region: "eu-1",
};

// Wire values that the samples of several resources share.

export const tank = {
  name: "Tank 7",
  app_eui: "70B3D57ED0000001",
  app_key: "2B7E151628AED2A6ABF7158809CF4F3C",
  dev_eui: "0004A30B001C0530",
};
export const organization_id = "8b6cf2a4-90a1-4b3e-9f61-3c2d1e5a7b11";
export const created = {
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

export const label_id = "5f2d6f0e-3b7a-4c4a-8d55-0a1b2c3d4e5f";

const common = {
  category: "uplink",
  device_id: created.id,
  organization_id,
  router_uuid: "1c9a6d0f-52d4-4f0e-9a53-77c0a1b2c3d4",
  frame_up: 412,
  frame_down: null,
  reported_at: "1795163400000",
};

const place = {
  lat: 47.5596,
  long: 7.5886,
  name: "calm-teal-heron",
  rssi: -97,
  snr: 7.5,
  spreading: "SF9BW125",
};
const hotspot = { channel: 3, frequency: 868.5, id: "112hotspotXfieldmesh", ...place };

export const uplinkEvent = {
  ...common,
  sub_category: "uplink_confirmed" as const,
  description: "Confirmed data up received",
  data: {
    dc: { balance: 250_000, nonce: 1, used: 1 },
    devaddr: "48000A1B",
    fcnt: 412,
    hold_time: 0,
    hotspot,
    mac: [],
    payload: "AWcA8wJzJ6M=",
    payload_size: 8,
    port: 2,
  },
};

export const integrationEvent = {
  ...common,
  sub_category: "uplink_integration_req" as const,
  description: "Request sent to HTTP: Data lake",
  data: {
    integration: {
      id: bare.id,
      name: bare.name,
      status: "success",
    },
    req: {
      qos: 0,
      body: {
        app_eui: tank.app_eui,
        dev_eui: tank.dev_eui,
        devaddr: "48000A1B",
        fcnt: 412,
        hotspots: [{ ...hotspot, hold_time: 0, reported_at: 1_795_163_400_000, status: "success" }],
        id: created.id,
        metadata: { adr_allowed: false, cf_list_enabled: false, multi_buy: 1, organization_id },
        name: tank.name,
        payload: "AWcA8wJzJ6M=",
        payload_size: 8,
        port: 2,
        reported_at: 1_795_163_400_000,
        uuid: created.id,
      },
    },
  },
};
