import { parseEvent } from "@fieldmesh/webhook-types/parse";
import { sampleEvent } from "@fieldmesh/webhook-types/samples";
import { expect, test } from "vitest";
import { testContext } from "../testing/context.ts";
import type { Arrival } from "./delivery-server.ts";
import { showArrival } from "./show-arrival.ts";

const AT = "2026-11-20T08:30:00.000Z";
const arrival = (more: Partial<Arrival>): Arrival => ({ at: AT, status: 401, took: 7, ...more });

test.each<[Partial<Arrival>, string]>([
  [{ rejected: "too_large", status: 413 }, "the body is larger than 1 MiB  responded 413"],
  [{ rejected: "not_an_event", status: 200 }, "verified, but not an event  responded 200"],
  [{ rejected: "signature_mismatch" }, "not verified: signature_mismatch  responded 401"],
  [{ rejected: "timestamp_too_old" }, "not verified: timestamp_too_old  responded 401"],
  [
    { event: sampleEvent("sim.activated", { id: "evt_1" }), status: 200 },
    "sim.activated  evt_1  responded 200",
  ],
])("a line for %j", async (more, what) => {
  const { output, lines } = testContext();
  await showArrival(output, arrival(more));
  expect(lines).toEqual([`${AT}  ${what}  7 ms`]);
});

test("JSON has the reason or the event, and no field that is not known", async () => {
  const { output, lines } = testContext({ isJson: true });
  await showArrival(output, arrival({ rejected: "header_missing" }));
  const event = sampleEvent("cpni.verification.requested", { id: "evt_1" });
  await showArrival(output, arrival({ event, status: 200 }));
  const [first, second] = lines.map((line) => JSON.parse(line) as Record<string, unknown>);
  expect(first).toEqual({ at: AT, status: 401, took: 7, rejected: "header_missing" });
  expect(Object.keys(second!)).toEqual(["at", "status", "took", "event"]);
  expect(second).toMatchObject({
    event: { id: "evt_1", data: { object: { code: "[redacted]" } } },
  });
});

test("the id of an event is printed without control characters", async () => {
  const { output, lines } = testContext();
  const event = parseEvent(
    {
      id: "evt_\u001B[2J1",
      type: "sim.teleported",
      created_at: AT,
      livemode: false,
      data: { object: {} },
      idempotency_key: "idem_1",
    },
    { validation: "off" },
  );
  await showArrival(output, arrival({ event, status: 200 }));
  expect(lines).toEqual([`${AT}  sim.teleported  evt_[2J1  responded 200  7 ms`]);
});
