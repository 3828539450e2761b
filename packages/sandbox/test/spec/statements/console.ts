import { expect } from "vitest";
import {
  boolean,
  list,
  number,
  present,
  stamp,
  states,
  succeeds,
  text,
  uuid,
  type Statement,
} from "./statement.ts";

const get = (path: string) => `GET /console/api/v1/${path}\nkey: {key}`;
const send = (route: string, body: object) => {
  const [method, path] = route.split(" ");
  const json = JSON.stringify(body);
  return `${method} /console/api/v1/${path}\nkey: {key}\ncontent-type: application/json\n\n${json}`;
};
const remove = (path: string) => `DELETE /console/api/v1/${path}\nkey: {key}`;
const error = (message: string) => ({ errors: { error: [message] } });
const lacks = (says: string, request: string, what: string) =>
  states(says, request, 404, error(`${what} not found`));

const deviceLabel = {
  adr_allowed: null,
  cf_list_enabled: null,
  config_profile_id: null,
  id: "{label}",
  name: "Pumps",
  rx_delay: null,
};
const lookedUp = {
  adr_allowed: null,
  app_eui: "70B3D57ED0000001",
  app_key: "2B7E151628AED2A6ABF7158809CF4F3C",
  cf_list_enabled: null,
  dc_usage: number,
  dev_eui: "0004A30B00000001",
  id: "{device}",
  in_xor_filter: boolean,
  labels: [deviceLabel],
  last_connected: stamp,
  name: "Tank 1",
  organization_id: uuid,
  oui: number,
  total_packets: number,
};
const listed = { ...lookedUp, active: true, config_profile_id: null, rx_delay: 1 };
const { app_eui, app_key, dev_eui, id, name, organization_id, oui } = lookedUp;
const descriptor = { app_eui, app_key, dev_eui, id, name, organization_id, oui };
const label = { id: "{label}", name: "Pumps", multi_buy: 1 };
const integration = {
  id: "{integration}",
  name: "Lake",
  labels: [],
  devices: [{ id: "{device}", name: "Tank 1" }],
};
const made = { id: uuid, name: "New", labels: [], devices: [] };
const euis = `dev_eui=${dev_eui}&app_eui=${app_eui}&app_key=${app_key}`;
const plain = { name: "x".repeat(60), dev_eui: "0004a3", app_eui: "70b3", app_key: "2b7e" };
const http = { name: "New", type: "http", endpoint: "https://lake.example.com" };
const hosted = { console: { deployment: "hosted" } } as const;
const event = {
  category: "uplink",
  description: text,
  device_id: "{device}",
  organization_id: uuid,
  router_uuid: uuid,
  frame_up: number,
  frame_down: present,
  reported_at: digits(),
};
const hotspot = {
  channel: number,
  frequency: number,
  id: text,
  lat: number,
  long: number,
  name: text,
  rssi: number,
  snr: number,
  spreading: text,
};

/** Milliseconds since 1970, as text. */
function digits(): unknown {
  return expect.stringMatching(/^\d{13}$/);
}

export const consoleStatements: readonly Statement[] = [
  succeeds("the organization is an array with dc_balance, id and name", get("organization"), [
    { dc_balance: number, id: uuid, name: text },
  ]),
  succeeds("the list has full devices, whose labels are device-label objects", get("devices"), [
    listed,
  ]),
  succeeds("a lookup by all three values is a descriptor", get(`devices?${euis}`), descriptor),
  succeeds(
    "EUIs and keys are compared without regard to case",
    get(`devices?${euis.toLowerCase()}`),
    descriptor,
  ),
  succeeds("a device that is looked up by id has fewer fields", get("devices/{device}"), lookedUp),
  succeeds(
    "an uplink event has the data of an uplink",
    get("devices/{device}/events"),
    expect.arrayContaining([
      {
        ...event,
        sub_category: "uplink_confirmed",
        data: {
          dc: { balance: number, nonce: number, used: number },
          devaddr: text,
          fcnt: number,
          hold_time: number,
          hotspot,
          mac: list,
          payload: text,
          payload_size: number,
          port: number,
        },
      },
    ]),
  ),
  succeeds(
    "an integration event has the data of a request, and the filter shows no others",
    get("devices/{device}/events?sub_category=uplink_integration_req"),
    [
      {
        ...event,
        sub_category: "uplink_integration_req",
        data: {
          integration: { id: "{integration}", name: "Lake", status: "success" },
          req: {
            qos: number,
            body: expect.objectContaining({
              app_eui,
              dev_eui,
              devaddr: text,
              fcnt: number,
              hotspots: [{ ...hotspot, hold_time: number, reported_at: number, status: "success" }],
              id: "{device}",
              metadata: expect.objectContaining({
                adr_allowed: boolean,
                cf_list_enabled: boolean,
                multi_buy: number,
                organization_id: uuid,
              }),
              name: "Tank 1",
              payload: text,
              payload_size: number,
              port: number,
              reported_at: number,
              uuid: "{device}",
            }),
          },
        },
      },
    ],
  ),
  states(
    "a device is created with labels and a profile",
    send("POST devices", { ...plain, label_ids: ["{label}"], config_profile_id: "{nobody}" }),
    201,
  ),
  states(
    "one hosted deployment has disabled the creation of one device",
    send("POST devices", plain),
    403,
    error("This endpoint is disabled; create devices in bulk"),
    { console: { singleCreate: "disabled" } },
  ),
  succeeds(
    "each device of a bulk creation is in success or in failure",
    send("POST devices", { devices: [plain, { ...plain, name: "" }] }),
    {
      success: [{ ...plain, config_profile_id: null, id: uuid, labels: [] }],
      failure: [
        {
          app_eui: plain.app_eui,
          app_key: plain.app_key,
          dev_eui: plain.dev_eui,
          error: "name: can't be blank",
          organization_id: uuid,
          oui: number,
        },
      ],
    },
  ),
  succeeds(
    "a device is deleted, with a confirmation",
    remove("devices/{device}"),
    "Device deleted",
  ),
  succeeds("the list of labels has id and name", get("labels"), [{ id: "{label}", name: "Pumps" }]),
  succeeds("a label that is found by its name has multi_buy", get("labels?name=Pumps"), label),
  succeeds(
    "a label that is looked up by its id (label_id) has multi_buy",
    get("labels/{label}"),
    label,
  ),
  lacks("no label has the id", get("labels/{nobody}"), "Label"),
  states(
    "a label is created, with a config_profile_id or without",
    send("POST labels", { name: "x".repeat(60), config_profile_id: "{nobody}" }),
    201,
  ),
  succeeds(
    "a label is deleted with its links to devices",
    remove("labels/{label}"),
    "Label deleted",
  ),
  succeeds(
    "a device is added to a label",
    send("POST devices/{device}/labels", { label: "{label}" }),
    "Device added to label",
  ),
  succeeds(
    "a device is removed from a label",
    remove("devices/{device}/labels/{label}"),
    "Device removed from label",
  ),
  states(
    "a prebuilt integration is created",
    send("POST integrations/prebuilt", { name: "New", type: "partner4", token: "t" }),
    201,
    made,
  ),
  ...["post", "GET", "Put", "PATCH", "delete", "HEAD"].map((method) =>
    states(
      `an HTTP integration may have the method ${method}, headers and url_params`,
      send("POST integrations", {
        ...http,
        method,
        headers: { a: "b" },
        url_params: { c: "{{d}}" },
      }),
      201,
      { ...made, type: "http", credentials: expect.any(Object) },
    ),
  ),
  ...Object.entries({
    mqtt: { endpoint: "mqtts://b.example.com", uplink_topic: "u", downlink_topic: "d" },
    cloudA: { cloudA_policy_name: "p", cloudA_hub_name: "h", cloudA_primary_key: "k" },
    cloudB: { topic: "t", cloudB_access_key: "a", cloudB_secret_key: "s", cloudB_region: "r" },
  }).map(([type, fields]) =>
    states(
      `an integration of type ${type} is created`,
      send("POST integrations", { name: "New", type, ...fields }),
      201,
      { ...made, type, credentials: expect.any(Object) },
    ),
  ),
  states(
    "the name of an integration is unique",
    send("POST integrations", { ...http, name: "Lake", method: "post" }),
    422,
  ),
  succeeds(
    "a deleted integration (integration_id) returns its id and name",
    remove("integrations/{integration}"),
    { id: "{integration}", name: "Lake" },
  ),
  succeeds("the list of integrations has id, name, labels and devices", get("integrations/"), [
    integration,
  ]),
  succeeds("an integration is looked up by its id", get("integrations/{integration}"), integration),
  succeeds("an integration is found by its name", get("integrations?name=Lake"), integration),
  succeeds(
    "the flows of an integration have a target and its organization",
    get("flows?integration_id={integration}"),
    [
      {
        id: "{flow}",
        integration_id: "{integration}",
        label_id: null,
        device_id: "{device}",
        function_id: null,
        organization_id: uuid,
      },
    ],
  ),
  succeeds(
    "a flow is created with a text and a record",
    send("POST flows", {
      integration_id: "{integration}",
      label_id: "{label}",
      function_id: "{nobody}",
    }),
    {
      message: "Flow created",
      ...integration,
      labels: [{ id: "{label}", name: "Pumps" }],
    },
  ),
  states(
    "a flow has one target, and not two",
    send("POST flows", {
      integration_id: "{integration}",
      label_id: "{label}",
      device_id: "{device}",
    }),
    422,
  ),
  succeeds("a flow (flow_id) is deleted", remove("flows/{flow}"), "Flow deleted"),
  ...[null, "{nobody}"].flatMap((config_profile_id) => [
    succeeds(
      `the profile of a device becomes ${config_profile_id}`,
      send("PUT devices/{device}", { config_profile_id }),
    ),
    succeeds(
      `the profile of a label becomes ${config_profile_id}`,
      send("PUT labels/{label}", { config_profile_id }),
    ),
  ]),
  succeeds("a device is deactivated", send("PUT devices/{device}", { active: false })),
  succeeds(
    "devices are deactivated by dev_eui",
    send(`PUT devices/active?dev_eui=${dev_eui}`, { active: false }),
  ),
  succeeds(
    "devices are deactivated by all three values",
    send(`PUT devices/active?${euis}`, { active: false }),
  ),
  succeeds(
    "the devices of a label are deactivated",
    send("PUT labels/{label}/active", { active: false }),
  ),
  succeeds(
    "up to 1,000 devices are created at once",
    send("POST devices", {
      devices: Array.from({ length: 1_000 }, (_, at) => ({ ...plain, dev_eui: `${at}` })),
    }),
    { success: expect.toSatisfy((all: unknown[]) => all.length === 1_000), failure: [] },
  ),
  states(
    "more than 1,000 are not",
    send("POST devices", { devices: Array.from({ length: 1_001 }, () => plain) }),
    400,
  ),
  // Observed, because the contract is silent.
  succeeds(
    "(observed) a lookup by dev_eui is a list of the devices that match",
    get(`devices?dev_eui=${dev_eui}`),
    [listed],
  ),
  states(
    "(observed) no device matches",
    get(`devices?dev_eui=${dev_eui}&app_eui=0`),
    404,
    error("Devices not found"),
  ),
  succeeds("(observed) app_eui alone is the whole list", get("devices?app_eui=0"), [listed]),
  states("(observed) a request without a key is forbidden", "GET /console/api/v1/labels", 403, {
    type: "forbidden",
    errors: ["Key header is missing"],
  }),
  states(
    "(observed) a wrong key is not authorized",
    "GET /console/api/v1/labels\nkey: wrong",
    401,
    { message: "invalid_api_key" },
  ),
  states("(observed) a label name is taken", send("POST labels", { name: "Pumps" }), 422, {
    errors: { name: ["This label name has already been used in this organization"] },
  }),
  // The switches, the other way.
  succeeds(
    "a hosted deployment has one organization",
    get("organization"),
    { dc_balance: number, id: uuid, name: text },
    hosted,
  ),
  succeeds(
    "a hosted deployment requires 16 digits",
    send("POST devices", { devices: [plain] }),
    { success: [], failure: [expect.objectContaining({ error: text })] },
    hosted,
  ),
  succeeds(
    "a hosted deployment returns the device of a lookup, with more fields",
    get(`devices?${euis}`),
    {
      ...listed,
      last_connected: stamp,
      region: text,
      devaddr: text,
      nwk_s_key: text,
      app_s_key: text,
    },
    hosted,
  ),
  succeeds("a lookup may be a list", get(`devices?${euis}`), [listed], {
    console: { lookup: "list" },
  }),
  succeeds(
    "a hosted deployment confirms a flow with a text",
    send("POST flows", { integration_id: "{integration}", label_id: "{label}" }),
    "Flow created",
    hosted,
  ),
  succeeds(
    "a hosted deployment has labels with every field",
    get("labels"),
    [
      {
        ...label,
        adr_allowed: null,
        cf_list_enabled: null,
        rx_delay: null,
        config_profile_id: null,
      },
    ],
    hosted,
  ),
  states(
    "a deployment may allow a device twice",
    send("POST devices", { ...plain, dev_eui, app_eui, app_key }),
    201,
    undefined,
    { console: { duplicates: "allowed" } },
  ),
  states(
    "by default it does not",
    send("POST devices", { ...plain, dev_eui, app_eui, app_key }),
    422,
  ),
  states("a deployment may allow no request", get("labels"), 429, "Too many requests", {
    console: { requestsPerMinute: 0 },
  }),
];
