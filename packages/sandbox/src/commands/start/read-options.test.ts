import { expect, test } from "vitest";
import { UsageError } from "../command-error.ts";
import { readSettings } from "./read-options.ts";

const read = (options: Record<string, string | boolean>) =>
  readSettings({ arguments: [], options });

test("reads no options, and all of them", () => {
  // Strict, because a sandbox would read an option that is there without a value.
  expect(read({})).toStrictEqual({});
  expect(
    read({
      port: "4010",
      host: "0.0.0.0",
      seed: "fleet 7",
      latency: "5",
      faults: "0.1:reset,503",
      webhook: "http://127.0.0.1:3000/hooks",
      env: ".env",
    }),
  ).toEqual({
    port: 4010,
    host: "0.0.0.0",
    seed: "fleet 7",
    latency: 5,
    faults: { rate: 0.1, kinds: ["reset", 503] },
    webhook: "http://127.0.0.1:3000/hooks",
    env: ".env",
  });
});

test.each([
  ["0", { rate: 0 }],
  ["1:503:10min", { rate: 1, kinds: [503], duration: 600_000 }],
  ["0.5::+90 s", { rate: 0.5, duration: 90_000 }],
  [
    "1:reset,lost,truncate,garbage,delay,400,599",
    { rate: 1, kinds: ["reset", "lost", "truncate", "garbage", "delay", 400, 599] },
  ],
  [
    "0.5:delay=20000,delay=0,lost",
    { rate: 0.5, kinds: [{ kind: "delay", ms: 20_000 }, { kind: "delay", ms: 0 }, "lost"] },
  ],
])("the faults %s are %j", (faults, settings) => {
  expect(read({ faults })).toEqual({ faults: settings });
});

test("the switches of the services are nested, and false and numbers are read", () => {
  expect(
    read({
      cors: false,
      logSize: "50",
      consoleDeployment: "hosted",
      consoleSingleCreate: "enabled",
      ledgerBlockInterval: "Infinity",
      ledgerEmptyPages: "0.5",
      ledgerFiltersInCursor: false,
      ledgerLoops: "accounts.list,blocks.list",
      mobileBudgetsReads: "5",
      mobilePersonalDataFor: "sk,rk",
      mobileFraudScreening: true,
    }),
  ).toEqual({
    cors: false,
    logSize: 50,
    console: { deployment: "hosted", singleCreate: "enabled" },
    ledger: {
      blockInterval: Infinity,
      emptyPages: 0.5,
      filtersInCursor: false,
      loops: ["accounts.list", "blocks.list"],
    },
    mobile: { budgets: { reads: 5 }, personalDataFor: ["sk", "rk"], fraudScreening: true },
  });
});

test("a snapshot has the switches of the services, but not those of the server and the log", () => {
  const from = "a.json";
  expect(read({ from, cors: false, logSize: "5", logBytes: "5" })).toEqual({
    from,
    cors: false,
    logSize: 5,
    logBytes: 5,
  });
  for (const [options, flag] of [
    [{ consoleInputs: "observed" }, "--console-inputs"],
    [{ mobileBudgetsWrites: "1" }, "--mobile-budgets-writes"],
    [{ ledgerFiltersInCursor: false }, "--no-ledger-filters-in-cursor"],
  ] as const)
    expect(() => read({ from, ...options })).toThrow(
      new UsageError(
        `A snapshot has the options of the services: remove ${flag}, or remove --from.`,
      ),
    );
});

const STATUSES = ["200", "399", "600", "4000", "x503", "503x"];
const KINDS_THAT_ARE_NOT = ["", ...STATUSES, "Reset", "delay=", "delay=-1", "delay=3e9", "lost=5"];

test.each([
  [{ secret: "x" }, "A secret needs --webhook, the endpoint whose deliveries it signs."],
  [{ secretFile: "x" }, "A secret needs --webhook, the endpoint whose deliveries it signs."],
  [{ from: " " }, "--from needs the name of a file, such as fleet.snapshot.json."],
  [{ save: "" }, "--save needs the name of a file, such as fleet.snapshot.json."],
  [{ from: "a", seed: "1" }, "A snapshot has the seed: remove --seed, or remove --from."],
  [{ host: " " }, "--host needs an address, such as 0.0.0.0."],
  [{ host: "" }, "--host needs an address, such as 0.0.0.0."],
  [{ env: " " }, "--env needs the name of a file, such as .env."],
  [{ port: "70000" }, "--port needs a whole number from 0 to 65535."],
  [{ port: "-1" }, "--port needs a whole number from 0 to 65535."],
  [{ port: "" }, "--port needs a whole number from 0 to 65535."],
  [{ logSize: "many" }, "--log-size needs a number, or Infinity."],
  [
    { mobilePersonalDataFor: "sk,admin" },
    "--mobile-personal-data-for accepts pk, rk, sk, separated by commas.",
  ],
  [{ latency: "1.5" }, "--latency needs a whole number from 0 to 2147483647."],
  [{ faults: "2" }, "--faults needs a share from 0 to 1, such as 0.1 or 0.1:reset,503."],
  [{ faults: ":reset" }, "--faults needs a share from 0 to 1, such as 0.1 or 0.1:reset,503."],
  ...KINDS_THAT_ARE_NOT.map((kind) => [
    { faults: `0.1:${kind}` },
    "--faults accepts reset, lost, truncate, garbage, delay, delay=<ms> and statuses from 400 to 599.",
  ]),
  ...["soon", "10", "", "-1min", "0 s"].map((end) => [
    { faults: `1:503:${end}` },
    "--faults needs a duration such as 10min, 90s or 2h after the kinds.",
  ]),
  [{ faults: "-0.1" }, "--faults needs a share from 0 to 1, such as 0.1 or 0.1:reset,503."],
  [{ faults: "1.1" }, "--faults needs a share from 0 to 1, such as 0.1 or 0.1:reset,503."],
  [{ faults: "many" }, "--faults needs a share from 0 to 1, such as 0.1 or 0.1:reset,503."],
  [{ faults: "" }, "--faults needs a share from 0 to 1, such as 0.1 or 0.1:reset,503."],
  [{ faults: " " }, "--faults needs a share from 0 to 1, such as 0.1 or 0.1:reset,503."],
  [{ latency: "2147483648" }, "--latency needs a whole number from 0 to 2147483647."],
] as [Record<string, string>, string][])(
  "%j is rejected with one sentence",
  (options, sentence) => {
    expect(() => read(options)).toThrow(new UsageError(sentence));
  },
);
