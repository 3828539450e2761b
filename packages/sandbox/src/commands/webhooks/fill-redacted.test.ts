import { sampleEvent } from "@fieldmesh/webhook-types/samples";
import { expect, test } from "vitest";
import { fillRedacted } from "./replay.ts";

const REDACTED = "[redacted]";
const event = (type: string, object: unknown) => ({
  id: "evt_1",
  type,
  created_at: "2026-11-20T08:30:00Z",
  data: { object },
});

test("redacted values are replaced by those of the sample, and all others are kept", () => {
  const kept = { id: "sim_7", state: null, subscription_id: 3, metadata: { note: false } };
  expect(fillRedacted(event("sim.activated", { ...kept, msisdn: REDACTED }))).toEqual(
    event("sim.activated", { ...kept, msisdn: "+12025550143" }),
  );
});

test("each redacted item of a list is replaced by the first one of the sample", () => {
  expect(
    fillRedacted(event("fraud.evaluated", { reasons: [REDACTED, "other", REDACTED] })),
  ).toEqual(
    event("fraud.evaluated", {
      reasons: ["email_recently_created", "other", "email_recently_created"],
    }),
  );
});

test("a code is replaced by the code of the sample, in clear", () => {
  const { object } = sampleEvent("cpni.verification.requested").data;
  expect(fillRedacted(event("cpni.verification.requested", { code: REDACTED }))).toEqual(
    event("cpni.verification.requested", { code: object.code?.reveal() }),
  );
});

test.each([
  ["a field that the sample does not have", { unheard_of: REDACTED }],
  ["a list where the sample has none", { id: [REDACTED, { a: REDACTED }] }],
  ["an object where the sample has none", { id: { inner: REDACTED } }],
  ["a field of an object that the sample does not have", { other: { inner: [REDACTED] } }],
])("%s remains redacted", (_what, object) => {
  expect(fillRedacted(event("sim.activated", object))).toEqual(event("sim.activated", object));
});
