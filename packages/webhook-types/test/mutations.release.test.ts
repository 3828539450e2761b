import { test } from "vitest";
import { mutate } from "./mutations.ts";

const RUNS = 1_000_000;
const MINUTES = 60_000;

test(
  `${RUNS} changes of body, header, secret or time: none is accepted or refused wrongly`,
  async () => {
    await mutate(RUNS);
  },
  15 * MINUTES,
);
