import { expect, test } from "vitest";
import { playNights } from "./play-nights.ts";

const FIRST_SEED = Math.floor(Date.now() / 1_000);
const COUNT = 2_000;

test(`each event is handled once, or named, whatever the nights bring, from seed ${FIRST_SEED} on`, async () => {
  for (let seed = FIRST_SEED; seed < FIRST_SEED + COUNT; seed++)
    expect(await playNights(seed)).toEqual([]);
}, 600_000);
