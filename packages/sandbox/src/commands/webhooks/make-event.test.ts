import { eventTypes } from "@fieldmesh/webhook-types";
import { sampleEvent } from "@fieldmesh/webhook-types/samples";
import { afterEach, expect, test, vi } from "vitest";
import { UsageError } from "../command-error.ts";
import { isKnown } from "../../engine/webhooks/sampled-event.ts";
import { makeEvent, newId, readEvent } from "./make-event.ts";

afterEach(() => void vi.useRealTimers());

const HINT = "Add --unknown to send it anyway.";
const BAD_DATA = `--data needs a JSON object, such as '{"object":{"id":"sim_1"}}'.`;

test.each([
  ["sim.activatd", `There is no event type of this name. Did you mean "sim.activated"? ${HINT}`],
  ["zzz", `There is no event type of this name. \`events --types\` lists them. ${HINT}`],
  ['"', `There is no event type of this name. \`events --types\` lists them. ${HINT}`],
  [undefined, `There is no event type of this name. \`events --types\` lists them. ${HINT}`],
])("the type %s is rejected with the nearest one or with where they are listed", (type, said) => {
  expect(() => readEvent({ arguments: [type], options: {} })).toThrow(new UsageError(said));
  expect(() => readEvent({ arguments: [type], options: { unknown: false } })).toThrow(said);
});

test("any type is accepted with --unknown, and a known one without it", () => {
  const types = [
    readEvent({ arguments: ["zzz"], options: { unknown: true } }),
    readEvent({ arguments: ["sim.activated"], options: {} }),
  ];
  expect(types).toEqual([
    { type: "zzz", overrides: {} },
    { type: "sim.activated", overrides: {} },
  ]);
});

test("--data is the data of the event, with exact integers", () => {
  const data = '{"object":{"count":12345678901234567890}}';
  expect(readEvent({ arguments: ["sim.activated"], options: { data } }).overrides).toEqual({
    data: { object: { count: 12_345_678_901_234_567_890n } },
  });
});

test.each(["", "[1]", "null", "7", '"x"', "{", "{'a':1}"])("--data %s is rejected", (data) => {
  expect(() => readEvent({ arguments: ["sim.activated"], options: { data } })).toThrow(
    new UsageError(BAD_DATA),
  );
});

test("an event of a known type is the sample with new ids and the current time", () => {
  vi.useFakeTimers({ now: Date.parse("2026-11-20T08:30:00Z") });
  const { id, created_at, idempotency_key, ...rest } = makeEvent("sim.activated", {}) as ReturnType<
    typeof sampleEvent
  >;
  const {
    id: _id,
    created_at: _at,
    idempotency_key: _key,
    ...sample
  } = sampleEvent("sim.activated");
  expect(id).toMatch(/^evt_[0-9a-f]{32}$/);
  expect(idempotency_key).toMatch(/^idem_[0-9a-f]{32}$/);
  expect(created_at).toBe("2026-11-20T08:30:00.000Z");
  expect(rest).toEqual(sample);
});

test("an event of an unknown type has an envelope, and only the given data", () => {
  vi.useFakeTimers({ now: Date.parse("2026-11-20T08:30:00Z") });
  const envelope = {
    livemode: false,
    id: expect.stringMatching(/^evt_[0-9a-f]{32}$/) as string,
    created_at: "2026-11-20T08:30:00.000Z",
    idempotency_key: expect.stringMatching(/^idem_[0-9a-f]{32}$/) as string,
    type: "sim.teleported",
  };
  expect(makeEvent("sim.teleported", {})).toEqual({ ...envelope, data: { object: {} } });
  expect(makeEvent("sim.teleported", { data: { count: 1 } })).toEqual({
    ...envelope,
    data: { object: {}, count: 1 },
  });
  expect(makeEvent("sim.teleported", { data: { object: { id: "sim_1" } } })).toEqual({
    ...envelope,
    data: { object: { id: "sim_1" } },
  });
});

test("data that does not match the type is rejected with the field, and without its value", () => {
  const making = () => makeEvent("sim.activated", { data: { object: "canary" } });
  expect(making).toThrow(UsageError);
  expect(making).toThrow(/^--data does not match the type: .*object/);
  expect(making).not.toThrow("canary");
});

test("an error that is not about the fields of the data is not shown as one of the user", () => {
  const data = {
    get object(): never {
      throw new Error("a bug");
    },
  };
  const making = () => makeEvent("sim.activated", { data });
  expect(making).toThrow(TypeError);
  expect(making).not.toThrow("--data");
});

test("each type of the catalog is known, and no other", () => {
  expect(eventTypes.every((type) => isKnown(type))).toBe(true);
  expect(["", "sim", "sim.", "Sim.activated", "toString"].some((type) => isKnown(type))).toBe(
    false,
  );
});

test("a new id has a prefix and 32 hexadecimal digits, and differs from the one before", () => {
  const ids = [newId("whsec"), newId("whsec")];
  for (const id of ids) expect(id).toMatch(/^whsec_[0-9a-f]{32}$/);
  expect(new Set(ids).size).toBe(2);
});
