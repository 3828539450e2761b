import { parseEvent } from "@fieldmesh/webhook-types/parse";
import { expect, test } from "vitest";
import { testContext } from "../testing/context.ts";
import type { Arrival } from "./delivery-server.ts";
import { showArrival } from "./show-arrival.ts";

const AT = "2026-11-20T08:30:00.000Z";
const arrival = (more: Partial<Arrival>): Arrival => ({ at: AT, status: 401, took: 7, ...more });

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
