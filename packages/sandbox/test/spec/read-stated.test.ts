import { expect, test } from "vitest";
import {
  formsIn,
  listErrors,
  requiredIn,
  statusesIn,
  valuesByHeader,
  valuesIn,
} from "./read-stated.ts";

test.for<[string, number[]]>([
  ["200, label object (id, multi_buy, name); 404 if none", [404]],
  ["200 with text Success; 400 with text Invalid Fields when fields are missing", [400]],
  ["accounts sorted by balance (default 1000, max 1000)", []],
])("the error statuses of %s are %j", ([text, statuses]) => {
  expect(statusesIn(text)).toEqual(statuses);
});

test("a sentence about two lists states the status of both", () => {
  const line =
    "A cursor-based request to the account list or the account hotspots list answers 400 when it has expired.";
  expect(listErrors(line)).toEqual([
    { subject: "GET /v1/accounts", statuses: [400] },
    { subject: "GET /v1/accounts/:address/hotspots", statuses: [400] },
  ]);
  expect(listErrors("An aged link answers HTTP 410 with a plain page.")).toEqual([]);
});

test.for<[string, string[][]]>([
  ["id, status (value verified), submitted_by", [["status", "verified"]]],
  ["status (string; value seen: success)", [["status", "success"]]],
  [
    "bucket (optional string: hour, day or week)",
    ["hour", "day", "week"].map((v) => ["bucket", v]),
  ],
  ["reason is requested, port_out, or null", ["requested", "port_out"].map((v) => ["reason", v])],
  [
    "previous_attributes.subscription_status is cancelled, and take the new one",
    [["subscription_status", "cancelled"]],
  ],
  ["the card is drawn for a new SIM", []],
  ["locked_status = unlocked", [["locked_status", "unlocked"]]],
  ["active = the submitted value", []],
])("the values that %s states are %j", ([text, values]) => {
  expect(valuesIn(text)).toEqual(values);
});

test.for<[string[], string[], string[][]]>([
  [
    ["Field", "Type", "Note"],
    ["category", "string", "value seen: uplink"],
    [["category", "uplink"]],
  ],
  [["Creation endpoint", "type value"], ["custom HTTP", "http"], [["type", "http"]]],
  [
    ["Object", "Fields"],
    ["subscription (status values named)", "active, past_due"],
    [
      ["status", "active"],
      ["status", "past_due"],
    ],
  ],
  [["State", "Next state"], ["sim, any", "suspended"], [["state", "suspended"]]],
  [["State", "Next state"], ["subscription past_due", "unchanged status named"], []],
])("the columns %j of the row %j state the values %j", ([header, cells, values]) => {
  expect(valuesByHeader(header, cells)).toEqual(values);
});

test("a row states which fields it requires", () => {
  const text =
    "name, app_eui (all required strings); exactly one of label_id or device_id (required, UUID)";
  expect(requiredIn(text)).toEqual(["name", "app_eui", "label_id", "device_id"]);
  expect(requiredIn("config_profile_id (optional string, UUID)")).toEqual([]);
});

test("a row states the form of a value", () => {
  expect(formsIn("array of up to 1,000 objects")).toEqual(["at most 1000"]);
  expect(formsIn("address (required string, base58 account address)")).toEqual(["base58"]);
  expect(formsIn("id (required, UUID)")).toEqual(["UUID"]);
});
