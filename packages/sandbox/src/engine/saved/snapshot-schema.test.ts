import { expect, test } from "vitest";
import { checkSnapshot } from "../services/snapshot.ts";
import { sandboxWithAllState } from "../testing/all-state.ts";

const { sandbox, ids } = await sandboxWithAllState();
const json = JSON.stringify(sandbox.snapshot());
const devices: string[][] = JSON.parse(json).services.console.devices;
/** The device that has sent uplinks. */
const DEVICE = `services.console.devices.${devices.findIndex(([id]) => id === ids["device"])}`;
const STRETCH = `${DEVICE}.16.0`;
const DELIVERY = "services.webhooks.deliveries.0";
/** The last moment that a Date holds. */
const LAST = 8.64e15;

/** Returns a snapshot from a file whose value at a place was replaced. */
function changed(place: string, value: unknown): unknown {
  const snapshot = JSON.parse(json);
  const parts = place.split(".");
  const name = parts.pop() as string;
  let parent = snapshot;
  for (const part of parts) parent = parent[part];
  parent[name] = value;
  return snapshot;
}

test("a snapshot from a file is read as it was written", () => {
  expect(checkSnapshot(JSON.parse(json))).toEqual(JSON.parse(json));
});

const words: readonly [place: string, words: readonly string[]][] = [
  [`${STRETCH}.0`, ["taken", "inactive", "no credit"]],
  ["services.console.keys.0.1", ["confirmed", "unconfirmed"]],
  ["services.mobile.keys.0.1", ["sandbox", "live"]],
  [`${DELIVERY}.status`, ["pending", "delivered", "dead"]],
  [`${DELIVERY}.attempts.0.outcome`, ["accepted", "rejected", "no_response", "response_lost"]],
];

test.each(words.flatMap(([place, all]) => all.map((word) => [place, word] as const)))(
  "a snapshot may have at %s: %s",
  (place, word) => {
    expect(checkSnapshot(changed(place, word))).toEqual(changed(place, word));
  },
);

test.each<[place: string, value: unknown]>([
  ["seed", "a seed"],
  ["time", LAST],
  ["began", 0],
  ["options", { ledger: { accounts: null } }],
  ["faults.script", { rate: 0.5, kinds: [503] }],
  ["services.console.labels.0.adr_allowed", true],
  ["services.console.integrations.0.target", undefined],
  [`${STRETCH}.6`, [{ id: "a", name: "Hook", failure: "no response" }]],
  ["services.ledger.cursorLifetime", null],
  [`${DELIVERY}.attempts.0.status`, 204],
  [`${DELIVERY}.next`, null],
  ["services.webhooks.disturbance", { duplicates: 1, disorder: 2, delay: 3, lostResponses: 4 }],
  ["services.webhooks.disturbance", {}],
])("a snapshot may have at %s: %j", (place, value) => {
  expect(checkSnapshot(changed(place, value))).toEqual(changed(place, value));
});

test.each<[place: string, value: unknown, named?: string]>([
  ["seed", true],
  ["time", "now"],
  ["time", LAST + 1],
  ["options", []],
  ["faults", []],
  ["faults.script", "reset"],
  ["faults.position", [1, "2"], "faults.position.1"],
  ["services.console", {}, "services.console.organization"],
  ["services.console.organization.oui", "1"],
  ["services.console.keys.0", ["key"]],
  ["services.console.keys.0.1", "other"],
  ["services.console.labels.0.id", 7],
  [`${DEVICE}.5`, "true"],
  [`${DEVICE}.17`, "more", DEVICE],
  [`${STRETCH}.0`, "other"],
  [`${STRETCH}.1`, 1.5],
  [`${STRETCH}.6`, [{ id: "a" }], `${STRETCH}.6.0.name`],
  ["services.console.flows.0.device_id", 7],
  ["services.console.ids", [1, 2, 3]],
  ["services.console.windows.0", ["sender", 1]],
  ["services.console.past.0.list", []],
  ["services.console.more", 1],
  ["services.ledger.epoch", 0.5],
  ["services.ledger.more", 1],
  ["services.mapper.uplinks.0", {}],
  ["services.mobile.subscribers.0", ["id"]],
  ["services.mobile.keys.0.1", "other"],
  ["services.mobile.remembered.0.response.status", "201"],
  ["services.mobile.more", 1],
  ["services.webhooks.endpoints.0.secrets.0", 7],
  [`${DELIVERY}.content`, 0.5],
  [`${DELIVERY}.status`, "other"],
  [`${DELIVERY}.attempts.0.outcome`, "other"],
  [`${DELIVERY}.more`, 1],
  ["services.webhooks.disturbance.delay", "1"],
  ["services.webhooks.more", 1],
  ["services.more", 1],
  ["more", 1],
])("a snapshot is rejected, and the place is named: %s is %j", (place, value, named = place) => {
  expect(() => checkSnapshot(changed(place, value))).toThrow(
    `The snapshot is not valid at ${named}. Make a new one with snapshot(), and copy it as JSON: structuredClone loses its devices.`,
  );
});
