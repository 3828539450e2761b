import { expect, test } from "vitest";
import { UsageError } from "../command-error.ts";
import { readSettings } from "./read-options.ts";

const read = (options: Record<string, string>) => readSettings({ arguments: [], options });

test("reads no options, and all of them", () => {
  expect(read({})).toEqual({});
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

test("faults are accepted without kinds", () => {
  expect(read({ faults: "1" })).toEqual({ faults: { rate: 1 } });
});

test.each([
  [{ secret: "x" }, "A secret needs --webhook, the endpoint whose deliveries it signs."],
  [{ secretFile: "x" }, "A secret needs --webhook, the endpoint whose deliveries it signs."],
  [{ host: "" }, "--host needs an address, such as 0.0.0.0."],
  [{ env: " " }, "--env needs the name of a file, such as .env."],
  [{ port: "70000" }, '--port needs a whole number from 0 to 65535, not "70000".'],
  [{ port: "-1" }, '--port needs a whole number from 0 to 65535, not "-1".'],
  [{ port: "" }, '--port needs a whole number from 0 to 65535, not "".'],
  [{ latency: "1.5" }, '--latency needs a whole number from 0 to 2147483647, not "1.5".'],
  [{ faults: "2" }, '--faults needs a share from 0 to 1, such as 0.1 or 0.1:reset,503, not "2".'],
  [
    { faults: ":reset" },
    '--faults needs a share from 0 to 1, such as 0.1 or 0.1:reset,503, not ":reset".',
  ],
  [
    { faults: "0.1:" },
    '--faults accepts reset, lost, truncate, garbage, delay and statuses from 400 to 599, not "".',
  ],
  [
    { faults: "0.1:200" },
    '--faults accepts reset, lost, truncate, garbage, delay and statuses from 400 to 599, not "200".',
  ],
] as [Record<string, string>, string][])(
  "%j is rejected with one sentence",
  (options, sentence) => {
    expect(() => read(options)).toThrow(new UsageError(sentence));
  },
);
