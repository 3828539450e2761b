import * as z from "@fieldmesh/core/internal/zod";
import { LAST_TIME } from "../time/sleepers.ts";

/** What marks a snapshot, in a file too. */
export const SNAPSHOT_FORMAT = "fieldmesh-sandbox-snapshot";
export const SNAPSHOT_VERSION = 2;

const position = z.readonly(z.tuple([z.number(), z.number(), z.number(), z.number()]));

/** What senders have sent in their current minute, in a snapshot. */
const savedWindows = z.array(z.tuple([z.string(), z.number(), z.number()]));

/** Milliseconds since 1970, within what a Date holds. */
const time = z.number().check(z.minimum(-LAST_TIME), z.maximum(LAST_TIME));

const flag = z.nullable(z.boolean());
const optionalText = z.nullable(z.string());
const optionalNumber = z.nullable(z.number());

const handover = z.strictObject({
  id: z.string(),
  name: z.string(),
  failure: z.optional(z.string()),
  status: z.optional(z.nullable(z.int())),
});

/** The fields of a stretch in order. The last two are left out where they are empty. */
const savedStretch = z.tuple([
  z.enum(["taken", "inactive", "no credit"]),
  z.int(),
  z.number(),
  z.int(),
  z.number(),
  z.number(),
  z.optional(z.array(handover)),
  z.optional(z.array(z.string())),
]);

const deviceFields = {
  id: z.string(),
  dev_eui: z.string(),
  app_eui: z.string(),
  app_key: z.string(),
  name: z.string(),
  active: z.boolean(),
  adr_allowed: flag,
  cf_list_enabled: flag,
  rx_delay: optionalNumber,
  config_profile_id: optionalText,
  dc_usage: z.number(),
  total_packets: z.number(),
  in_xor_filter: z.boolean(),
  last_connected: optionalNumber,
  label_ids: z.array(z.string()),
  /** `null` for a device that is switched off. */
  next_uplink: optionalNumber,
  heard: z.array(savedStretch),
};

export type SavedDevice = {
  [Field in keyof typeof deviceFields]: z.infer<(typeof deviceFields)[Field]>;
};

/** The order of the values of a saved device. It is part of the format: snapshots in files have it. */
export const DEVICE_FIELDS = Object.keys(deviceFields) as (keyof SavedDevice)[];

/** The values of a device without their names: a fleet may have a hundred thousand devices. */
const deviceRow = z.tuple(
  Object.values(deviceFields) as unknown as readonly [z.ZodMiniType, ...z.ZodMiniType[]],
);

const integration = z.strictObject({
  id: z.string(),
  name: z.string(),
  type: z.string(),
  target: z.optional(z.string()),
});

const savedConsole = z.strictObject({
  organization: z.strictObject({
    id: z.string(),
    name: z.string(),
    dc_balance: z.number(),
    oui: z.number(),
  }),
  keys: z.array(z.tuple([z.string(), z.enum(["confirmed", "unconfirmed"])])),
  labels: z.array(
    z.strictObject({
      id: z.string(),
      name: z.string(),
      multi_buy: z.number(),
      adr_allowed: flag,
      cf_list_enabled: flag,
      rx_delay: optionalNumber,
      config_profile_id: optionalText,
    }),
  ),
  devices: z.array(deviceRow),
  integrations: z.array(integration),
  formerIntegrations: z.array(integration),
  flows: z.array(
    z.strictObject({
      id: z.string(),
      integration_id: z.string(),
      label_id: optionalText,
      device_id: optionalText,
      function_id: optionalText,
    }),
  ),
  ids: position,
  phases: position,
  windows: savedWindows,
  past: z.array(z.strictObject({ until: z.number(), list: z.string() })),
});

/** The data of the console in JSON. */
export type ConsoleRows = z.infer<typeof savedConsole>;

/** The data of the ledger in a snapshot. All else follows from the seed and the time. */
const savedLedger = z.strictObject({
  epoch: z.int(),
  /** `null` for cursors that never expire. */
  cursorLifetime: z.nullable(z.number()),
  loops: z.array(z.string()),
  windows: savedWindows,
});

export type SavedLedger = z.infer<typeof savedLedger>;

/** The data of the map in a snapshot. An uplink is JSON, because its integers may have any size. */
const savedMapper = z.strictObject({ uplinks: z.array(z.string()), windows: savedWindows });

export type SavedMapper = z.infer<typeof savedMapper>;

/** Records are JSON, because their integers may have any size. */
const records = z.array(z.tuple([z.string(), z.string()]));

/** The data of the mobile service in a snapshot. Its events are those of the webhooks. */
const savedMobile = z.strictObject({
  subscribers: records,
  subscriptions: records,
  keys: z.array(z.tuple([z.string(), z.enum(["sandbox", "live"])])),
  ids: position,
  windows: savedWindows,
  remembered: z.array(
    z.strictObject({
      name: z.string(),
      until: z.number(),
      request: z.string(),
      response: z.strictObject({
        status: z.int(),
        headers: z.array(z.tuple([z.string(), z.string()])),
        body: z.string(),
      }),
    }),
  ),
});

export type SavedMobile = z.infer<typeof savedMobile>;

const count = z.optional(z.number());

/** The data of the webhooks in a snapshot. Events are JSON, because their integers may have any size. */
const savedWebhooks = z.strictObject({
  endpoints: z.array(
    z.strictObject({
      id: z.string(),
      url: z.string(),
      enabled_events: z.array(z.string()),
      livemode: z.boolean(),
      secrets: z.array(z.string()),
      /** Whether a function receives its deliveries. */
      in_process: z.boolean(),
    }),
  ),
  /** As they may be shown. */
  events: z.array(z.string()),
  /** As they are delivered. */
  contents: z.array(z.string()),
  deliveries: z.array(
    z.strictObject({
      id: z.string(),
      /** Its place in `contents`. */
      content: z.int(),
      endpoint_id: z.string(),
      status: z.enum(["pending", "delivered", "dead"]),
      attempts: z.array(
        z.strictObject({
          at: z.number(),
          status: z.optional(z.int()),
          outcome: z.enum(["accepted", "rejected", "no_response", "response_lost"]),
          duration: z.number(),
        }),
      ),
      next: z.nullable(z.number()),
      lost_responses: z.number(),
      tries: z.int(),
    }),
  ),
  disturbance: z.strictObject({
    duplicates: count,
    disorder: count,
    delay: count,
    lostResponses: count,
  }),
  ids: position,
});

export type SavedWebhooks = z.infer<typeof savedWebhooks>;

const json = z.record(z.string(), z.unknown());

export const snapshotSchema = z.strictObject({
  format: z.literal(SNAPSHOT_FORMAT),
  version: z.literal(SNAPSHOT_VERSION),
  seed: z.union([z.number(), z.string()]),
  time,
  began: time,
  options: json,
  faults: z.strictObject({
    script: z.optional(z.union([json, z.array(json)])),
    position: z.array(z.number()),
  }),
  services: z.strictObject({
    console: savedConsole,
    ledger: savedLedger,
    mapper: savedMapper,
    mobile: savedMobile,
    webhooks: savedWebhooks,
  }),
});

export type SnapshotRows = z.infer<typeof snapshotSchema>;
