import { expect, test } from "vitest";
import type { Fence, Transport } from "@fieldmesh/http/internal";
import { wholePages } from "./whole-pages.ts";

test("passes everything that a call was sent with, also its fence", async () => {
  const sent: unknown[][] = [];
  const send = async (...given: unknown[]) => {
    sent.push(given);
    return { output: { data: [], cursor: "c1" } };
  };
  const fence: Fence = { timeLeft: () => 5, reject: () => undefined };
  const given = [{}, { id: 1 }, { timeout: 5 }, fence] as never as Parameters<Transport["send"]>;
  await wholePages({ send } as never as Transport).send(...given);
  expect(sent).toEqual([given]);
});
