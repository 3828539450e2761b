import { createForwarder, createMapperClient } from "@fieldmesh/mapper-client";
import { createMobileClient } from "@fieldmesh/mobile-client";
import { createSandbox } from "@fieldmesh/sandbox/engine";
import type { Part, Wait } from "../row.ts";
import { HANDLED, receiving } from "./receiver.ts";

const baseUrl = "https://api.test";
const apiKey = "sk_live_4eC39HqLyjWDarjtT1zd";
const type = { name: "sim.activated", description: "A SIM was activated." };
const fetch = async () => Response.json({ data: [type], has_more: false });
const LISTED = "1 types";

/** Functions of the caller that only observe. */
const observes = {
  limit: 0,
  limitText: "none: nothing waits for them",
  after: "nothing: the call has continued",
  reported: "the first error of each function, by `console.warn`",
  recovers: "they are called the next time too",
};

const watch = (part: Part) => () => part(undefined, "odd") as void;

const alwaysEnds = (end: string): Pick<Wait, "ends" | "works"> => ({
  ends: { never: end, late: end, twice: end, odd: end },
  works: end,
});

export const callersWaits: readonly Wait[] = [
  {
    part: "the hooks and the logger of a client",
    ...observes,
    start: (part) => {
      const observer = watch(part);
      const hooks = { onRequest: observer, onResponse: observer, onFailure: observer };
      const logger = { debug: observer, info: observer, warn: observer, error: observer };
      const client = createMobileClient({ baseUrl, apiKey, fetch, hooks, logger });
      return { use: async () => `${(await client.eventTypes.list()).length} types` };
    },
    ...alwaysEnds(LISTED),
  },
  {
    part: "`onOutcome` and the logger of a receiver",
    ...observes,
    start: (part) => {
      const observer = watch(part);
      const logger = { debug: observer, info: observer, warn: observer, error: observer };
      return { use: receiving({ onOutcome: observer, logger }) };
    },
    ...alwaysEnds(HANDLED),
  },
  {
    part: "`onReport` of a forwarder",
    ...observes,
    start: (part) => {
      const client = createMapperClient(createSandbox().mapper);
      const forward = createForwarder({ client, authorization: "none", onReport: watch(part) });
      return {
        use: async () => {
          const body = JSON.stringify({ dev_eui: "0004A30B001C0530" });
          const response = await forward(new Request(baseUrl, { method: "POST", body }));
          const { outcome } = (await response.json()) as { outcome: string };
          return outcome;
        },
      };
    },
    ...alwaysEnds("left_out"),
  },
  {
    part: "the schema of a call",
    limit: 120_000,
    limitText: "`totalTimeout`: 120 s",
    after: "the call rejects with a `TimeoutError`, whose `outcome` is `applied`",
    reported: "the error of the call",
    recovers: "the next call uses the schema again",
    start: (part) => {
      const client = createMobileClient({ baseUrl, apiKey, fetch });
      const validate = (value: unknown) => part({ value }, "odd") as { readonly value: unknown };
      const schema = { "~standard": { validate } };
      return { use: async () => `${(await client.eventTypes.list({ schema })).length} types` };
    },
    ends: {
      never: "TimeoutError",
      late: "TimeoutError",
      twice: LISTED,
      odd: "ResponseValidationError",
    },
    works: LISTED,
  },
];
