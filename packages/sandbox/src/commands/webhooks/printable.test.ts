import { parseEvent } from "@fieldmesh/webhook-types/parse";
import { expect, test } from "vitest";
import { testContext } from "../testing/context.ts";
import type { Arrival } from "./delivery-server.ts";
import { showArrival } from "./show-arrival.ts";
import { printable } from "./describe-delivery.ts";

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

const LONGEST = 300;

test.each([
  ["an escape sequence", "a\u001B[31mb", "a[31mb"],
  ["line breaks and tabs", "one\r\ntwo\tthree\n", "onetwothree"],
  ["a mark that reverses the direction", "abc\u202Edef", "abcdef"],
  ["an invisible space", "a\u200Bb", "ab"],
  ["blanks, accents and emoji, which are kept", " é  日本 😀 ", " é  日本 😀 "],
  ["nothing", "", ""],
])("%s", (_what, text, shown) => {
  expect(printable(text)).toBe(shown);
});

test("a long string is cut to 300 characters, after the control characters are removed", () => {
  expect(printable("x".repeat(LONGEST))).toHaveLength(LONGEST);
  expect(printable(`\n${"x".repeat(LONGEST)}y`)).toBe("x".repeat(LONGEST));
});
