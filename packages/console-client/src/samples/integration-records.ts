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
  uplink_topic: "up/{{device_id}}",
  downlink_topic: "down/{{device_id}}",
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
