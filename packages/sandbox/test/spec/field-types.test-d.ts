import type {
  ConsoleClient,
  DeviceBatch,
  DeviceDescriptor,
  DeviceEvent,
  Device,
  Flow,
  Integration,
  IntegrationEvent,
  Label,
  Organization,
  UplinkBody,
  UplinkEvent,
} from "@fieldmesh/console-client";
import type {
  Account,
  Block,
  BlockHeight,
  BlockStats,
  LedgerClient,
  Location,
  PocPathEntry,
  PocReceipts,
  PocRequest,
  Receipt,
} from "@fieldmesh/ledger-client";
import type { Position } from "@fieldmesh/mapper-client";
import type { Secret } from "@fieldmesh/core";
import { expectTypeOf, test } from "vitest";

// Each field of a record with the type that the contract states. Whether it may be absent or null depends on its mark.

/** Compiles if each stated field has its type, apart from `undefined` and `null`. */
declare function has<Made, Stated>(
  isEqual: [Plain<Made, Stated>, Stated] extends [Stated, Plain<Made, Stated>] ? true : false,
): void;
type Plain<Made, Stated> = {
  [Name in keyof Stated]: Name extends keyof Made ? NonNullable<Made[Name]> : never;
};
/** Compiles if each of the fields may be null. */
declare function isNull<Made, Name extends keyof Made>(
  all: [Name] extends [{ [Each in Name]: null extends Made[Each] ? Each : never }[Name]]
    ? true
    : false,
): void;

/** Data credits, which may be beyond 2^53. */
type Count = number | bigint;
type Texts<Names extends string> = Record<Names, string>;
type Numbers<Names extends string> = Record<Names, number>;
type Euis = Texts<"app_eui" | "dev_eui"> & { app_key: Secret };
type Named = Texts<"id" | "name">;

test("every field of the console has its type", () => {
  type Owned = { organization_id: string; oui: number };
  type Half = Record<"adr_allowed" | "cf_list_enabled", boolean>;
  type Found = Half & Euis & Named & Owned & { dc_usage: Count; in_xor_filter: boolean };
  type Full = Found & { active: boolean; rx_delay: number; total_packets: Count };
  has<Organization, Named & { dc_balance: Count }>(true);
  has<Device, Full & Texts<"config_profile_id" | "last_connected">>(true);
  has<DeviceDescriptor, Euis & Named & Owned>(true);
  type InDevice = NonNullable<Device["labels"]>[number];
  has<InDevice, Half & Named & { config_profile_id: string; rx_delay: number }>(true);
  has<Label, Named & { multi_buy: number }>(true);
  has<Integration, Named & Record<"labels" | "devices", object[]>>(true);
  expectTypeOf<Integration["type"] & {}>().toExtend<string>();
  expectTypeOf<Integration["credentials"] & {}>().toExtend<object>();
  type Ids = "id" | `${"integration" | "label" | "device" | "function" | "organization"}_id`;
  has<Flow, Texts<Ids>>(true);
  has<DeviceBatch["success"][number], Euis & Named & { config_profile_id: string }>(true);
  has<DeviceBatch["failure"][number], Euis & Owned & { error: string }>(true);
  isNull<Device, "adr_allowed" | "cf_list_enabled" | "config_profile_id">(true);
  isNull<InDevice, "adr_allowed" | "cf_list_enabled" | "config_profile_id" | "rx_delay">(true);
  isNull<Flow, "label_id" | "device_id" | "function_id">(true);
});

test("every field of a device event has its type", () => {
  type Common = Texts<"device_id" | "organization_id" | "router_uuid" | "reported_at">;
  has<DeviceEvent, Common & { description: string } & Numbers<"frame_up" | "frame_down">>(true);
  isNull<DeviceEvent, "frame_up" | "frame_down">(true);
  expectTypeOf<DeviceEvent["category"] & {}>().toExtend<string>();
  expectTypeOf<DeviceEvent["sub_category"] & {}>().toExtend<string>();
  type Uplink = UplinkEvent["data"];
  type Radio = Numbers<"channel" | "frequency" | "rssi" | "snr"> & Named & { spreading: string };
  has<Uplink["dc"] & {}, Record<"balance" | "nonce" | "used", Count>>(true);
  has<Uplink["hotspot"] & {}, Radio>(true);
  expectTypeOf<number>().toExtend<NonNullable<Uplink["hotspot"]>["lat"]>();
  expectTypeOf<number>().toExtend<NonNullable<Uplink["hotspot"]>["long"]>();
  has<Uplink, Texts<"devaddr" | "payload"> & Numbers<"fcnt" | "hold_time" | "port">>(true);
  has<Uplink, Numbers<"payload_size"> & { mac: unknown[] }>(true);
  type Sent = IntegrationEvent["data"];
  has<Sent["integration"], Named>(true);
  expectTypeOf<Sent["integration"]["status"] & {}>().toExtend<string>();
  has<Sent["req"], { qos: number }>(true);
  expectTypeOf<Sent["req"]>().toHaveProperty("body");
  has<UplinkBody, Texts<"app_eui" | "dev_eui" | "devaddr" | "payload" | "uuid"> & Named>(true);
  has<UplinkBody, Numbers<"fcnt" | "payload_size" | "port" | "reported_at">>(true);
  type Heard = NonNullable<UplinkBody["hotspots"]>[number];
  has<Heard, Radio & Numbers<"hold_time" | "reported_at">>(true);
  expectTypeOf<Heard>().toHaveProperty("status");
  type Metadata = Record<"adr_allowed" | "cf_list_enabled", boolean>;
  has<UplinkBody["metadata"] & {}, Metadata & { multi_buy: number; organization_id: string }>(true);
});

test("every field of the ledger has its type", () => {
  has<Block, Texts<"hash" | "prev_hash" | "snapshot_hash">>(true);
  has<Block, Numbers<"height" | "time" | "transaction_count">>(true);
  has<BlockHeight, Numbers<"height">>(true);
  type Spans = `last_${"hour" | "day" | "week" | "month"}`;
  has<NonNullable<BlockStats[Spans]>, Numbers<"avg" | "stddev">>(true);
  type Common = Texts<"signature" | "hash"> & Numbers<"time" | "height">;
  has<PocRequest, Common & { type: "poc_request_v1" }>(true);
  has<PocReceipts, Common & { type: "poc_receipts_v1" }>(true);
  expectTypeOf<PocRequest>().toHaveProperty("fee");
  has<PocRequest, Texts<"secret_hash" | "owner" | "onion_key_hash" | "location">>(true);
  has<PocRequest, Texts<"challenger" | "block_hash"> & Numbers<"version" | "lng" | "lat">>(true);
  has<PocReceipts, Texts<"secret" | "onion_key_hash" | `challenger${"" | "_owner" | "_loc"}`>>(
    true,
  );
  has<PocReceipts, { path: PocPathEntry[] }>(true);
  has<PocPathEntry, { receipt: Receipt; challengee: string }>(true);
  expectTypeOf<PocPathEntry["witnesses"] & {}>().toExtend<readonly unknown[]>();
  isNull<PocPathEntry, "receipt">(true);
  has<Receipt, Texts<"signature" | "origin" | "gateway" | "data"> & { signal: number }>(true);
  expectTypeOf<Receipt>().toHaveProperty("timestamp");
  type Words = `${"long" | "short"}_${"city" | "country" | "state" | "street"}`;
  has<Location, Texts<"location" | "city_id" | Words>>(true);
  has<Account, Numbers<"speculative_nonce">>(true);
});

test("every field of a position is a number", () => {
  has<Position, Numbers<"latitude" | "longitude" | "altitude" | "accuracy">>(true);
});

declare const console: ConsoleClient;
declare const ledger: LedgerClient;

test("what an endpoint requires is required, and what is optional may be left out", () => {
  void console.devices.create({ name: "", dev_eui: "", app_eui: "", app_key: "" });
  // @ts-expect-error name, dev_eui, app_eui and app_key are required
  void console.devices.create({ name: "" });
  void console.labels.create({ name: "", config_profile_id: "" });
  // @ts-expect-error config_profile_id is required: a UUID, or null
  void console.devices.setConfigProfile({ device_id: "" });
  void console.devices.setConfigProfile({ device_id: "", config_profile_id: null });
  void console.labels.setConfigProfile({ label_id: "", config_profile_id: null });
  // @ts-expect-error dev_eui is required
  void console.devices.setActiveByEui({ active: true });
  void console.flows.create({ integration_id: "", label_id: "", function_id: "" });
  void ledger.blocks.height();
  void ledger.accounts.rich();
  // @ts-expect-error min_time and max_time are required
  void ledger.accounts.rewardsSum({ address: "", min_time: "now" });
  void ledger.accounts.rewards({ address: "" });
});
