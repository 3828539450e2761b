import { describe, expect, test } from "vitest";
import {
  describeMatches,
  filterRecords,
  searchDelivery,
  type Searched,
  searchRequest,
} from "./filter.ts";
import type { DeliveryRow, RequestRow } from "./wire.ts";

const request = (number: number, more: Partial<RequestRow> = {}): RequestRow => ({
  number,
  time: 0,
  service: "console",
  row: "labels.get",
  method: "GET",
  path: "/console/api/v1/labels/401f",
  status: 200,
  duration: 1,
  fault: undefined,
  done: true,
  client: "node",
  key: "printed",
  ...more,
});
const delivery = (id: string, more: Partial<DeliveryRow> = {}): DeliveryRow => ({
  id,
  event_id: `evt_${id}`,
  type: "sim.activated",
  endpoint_id: "we_1",
  status: "delivered",
  attempts: [{ at: 0, status: 200, outcome: "accepted", duration: 1 }],
  nextAttemptAt: undefined,
  ...more,
});

const requests = [
  request(1),
  request(2, { status: 401, key: "unknown" }),
  request(3, { status: 404, service: "mobile", row: "subscribers.get", key: "console" }),
  request(4, { row: "labels.create", method: "POST", status: 201 }),
  request(5, { row: "labels.createMany", status: undefined, fault: "lost" }),
  request(6, { status: undefined, duration: undefined }),
];
const deliveries = [
  delivery("del_1"),
  delivery("del_2", {
    status: "dead",
    attempts: [{ at: 0, status: 500, outcome: "rejected", duration: 1 }],
  }),
  delivery("del_3", {
    status: "pending",
    attempts: [{ at: 0, status: undefined, outcome: "no_response", duration: 1 }],
  }),
  delivery("del_4", { status: "pending", attempts: [], type: "plan.created" }),
];
const sims = [
  { id: "sim_1", name: "Pumps", active: true, note: "failed once" },
  { id: "sim_10", name: "Pumps north", active: false, note: "" },
];

const found = <T>(records: readonly T[], words: string, searchOf: (record: T) => Searched) => {
  const { found: all, matches } = filterRecords(records, words, searchOf);
  return [all.map((each) => records.indexOf(each) + 1).join(), describeMatches(matches)];
};

describe("filters", () => {
  const inRequest = (row: RequestRow) => ({
    ...searchRequest(row),
    inside: (word: string) => [
      ...(row.number === 2 && word === "meter-gw" ? (["headers"] as const) : []),
      ...(`body ${row.number} pump`.includes(word) ? (["body"] as const) : []),
    ],
  });
  test.each([
    ["", "1,2,3,4,5,6", ""],
    ["401", "2", "401 in status"],
    ["401f", "1,2,3,4,5,6", "401f in path"],
    ["4xx", "2,3", "4xx in status"],
    ["failed", "2,3,5", "failed in outcome"],
    ["failed mobile", "3", "failed in outcome; mobile in service"],
    ["labels.create", "4", "labels.create in row"],
    ["labels.c", "4,5", "labels.c in row"],
    ["POST", "4", "post in method"],
    ["broken", "5", "broken in status"],
    ["lost", "5", "lost in fault"],
    ["key:unknown", "2", "key:unknown in key"],
    ["console", "1,2,4,5,6", "console in service"],
    ["status:200", "1", "status:200 in status"],
    ["status:labels", "", "status:labels nowhere"],
    ["pump", "1,2,3,4,5,6", "pump in the body"],
    ["pump 404", "3", "pump in the body; 404 in status"],
    ["meter-gw", "2", "meter-gw in the headers"],
    ["8:30", "", "8:30 nowhere"],
  ])("requests by %j", (words, rows, said) => {
    expect(found(requests, words, inRequest)).toEqual([rows, said]);
  });

  test.each([
    ["del_1", "1", "del_1 in id"],
    ["evt_del_2", "2", "evt_del_2 in event_id"],
    ["failed", "2,3", "failed in outcome"],
    ["5xx", "2", "5xx in response"],
    ["dead", "2", "dead in status"],
    ["no_response", "3", "no_response in response"],
    ["sim. pending", "3", "sim. in type; pending in status, outcome"],
  ])("deliveries by %j", (words, rows, said) => {
    expect(found(deliveries, words, searchDelivery)).toEqual([rows, said]);
  });

  test.each([
    ["sim_1", "1", "sim_1 in id"],
    ["sim_", "1,2", "sim_ in id"],
    ["pumps", "1,2", "pumps in name"],
    ["pumps  North", "2", "pumps north in name"],
    ["north pumps", "2", "north in name; pumps in name"],
    ["active:true", "1", "active:true in active"],
    ["failed", "1", "failed in note"],
  ])("rows of state by %j", (words, rows, said) => {
    expect(found(sims, words, (fields) => ({ fields }))).toEqual([rows, said]);
  });
});
