import { redact } from "@fieldmesh/core/internal/schema";
import { responseSchema } from "@fieldmesh/http/internal";
import { expect, test } from "vitest";
import * as endpoints from "../src/endpoints.ts";

// What a log, an error or a page may show of a record.

const HIDDEN = "[redacted]";
const subject = { email: "ada@example.com" };

test("the data of a stored event is personal", () => {
  const event = { id: "evt_1", type: "sim.activated", livemode: true, data: { object: subject } };
  expect(redact(responseSchema(endpoints.events.list), { data: [event] })).toEqual({
    data: [{ ...event, data: HIDDEN }],
  });
});

test("the subject of a fraud decision is personal, and the decision is not", () => {
  const decision = { decision: "allow", score: 3, subject };
  expect(redact(responseSchema(endpoints.fraudDecisions.create), decision)).toEqual({
    ...decision,
    subject: HIDDEN,
  });
});
