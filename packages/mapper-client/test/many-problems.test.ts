import { expect, test } from "vitest";
import * as z from "zod";
import {
  check,
  createForwarder,
  createMapperClient,
  fromConsoleUplink,
  fromNetworkServer,
  type ForwarderOptions,
  type ForwardReport,
  type InputError,
} from "../src/index.ts";
import { parseConsoleUplink, type UplinkParseError } from "../src/uplink.ts";
import { consoleUplink, networkUplink } from "../../../tools/testing/uplinks.ts";

const client = createMapperClient({
  baseUrl: "https://map.test",
  fetch: async () => new Response("Success"),
});
const MORE = { path: "", message: "has more problems, which are not listed" };

async function deliver(message: unknown, options: Partial<ForwarderOptions>) {
  const reports: ForwardReport[] = [];
  const onReport = (report: ForwardReport) => reports.push(report);
  const forward = createForwarder({ client, authorization: "none", onReport, ...options });
  const body = JSON.stringify(message);
  const response = await forward(new Request("https://backend.test/", { method: "POST", body }));
  return { text: await response.text(), reports };
}

test.each<[string, unknown, Partial<ForwarderOptions>]>([
  [
    "gateways that only have a location",
    networkUplink({
      rxInfo: Array.from({ length: 4_000 }, () => ({ location: { latitude: 4, longitude: 8 } })),
    }),
    { build: fromNetworkServer },
  ],
  [
    "empty hotspots",
    consoleUplink({}, { hotspots: Array.from({ length: 60_000 }, () => ({})) }),
    {},
  ],
  [
    "a builder that names 50,000 problems",
    {},
    {
      build: () => ({
        isMappable: false,
        isUplink: true,
        form: "uplink of ThingPark",
        problems: Array.from({ length: 50_000 }, () => ({ path: "a", message: "b" })),
      }),
    },
  ],
])(
  "a delivery with %s has a short response and a short report",
  async (_what, message, options) => {
    const { text, reports } = await deliver(message, options);
    const { outcome, problems } = JSON.parse(text) as ForwardReport;
    expect([outcome, problems.length, problems.at(-1)]).toEqual(["left_out", 20, MORE]);
    expect(text.length).toBeLessThan(4_000);
    expect(reports.map((report) => report.problems)).toEqual([problems]);
  },
);

test("check and fromConsoleUplink list up to 20 problems", () => {
  const hotspots = Array.from({ length: 20 }, () => ({}));
  const problems = check(consoleUplink({}, { hotspots }));
  expect(problems.map(({ path }) => path)).toEqual(
    hotspots.map((_, index) => `hotspots[${index}].reported_at`),
  );
  const result = fromConsoleUplink(consoleUplink({ latitude: "x" }, { hotspots }));
  expect(result).toMatchObject({ isMappable: false, problems: { length: 20, 19: MORE } });
});

test("ingest lists 20 problems, and its message shows five", async () => {
  const strict = client.withOptions({ observedRules: true });
  const uplink = consoleUplink({}, { hotspots: Array.from({ length: 50_000 }, () => ({})) });
  const error = (await strict
    .ingest(uplink as never)
    .catch((thrown: unknown) => thrown)) as InputError;
  expect(error.problems).toHaveLength(20);
  expect(error.problems.at(-1)).toEqual(MORE);
  expect(error.message).toContain("hotspots[4].reported_at");
  expect(error.message).toContain("; and at least 15 more.");
  expect(error.message.length).toBeLessThan(1_000);
});

test("a long list that only running deployments reject is forwarded with observedRules: false", async () => {
  const message = networkUplink({ rxInfo: Array.from({ length: 60_000 }, () => ({})) });
  const { text } = await deliver(message, { build: fromNetworkServer, observedRules: false });
  expect(JSON.parse(text)).toMatchObject({ outcome: "forwarded", problems: [] });
});

test("parseConsoleUplink lists 20 problems, also those of a caller's schema", async () => {
  const errorOf = (call: Promise<unknown>) => call.catch((thrown: unknown) => thrown);
  const wrong = consoleUplink({}, { hotspots: Array(60_000).fill(0) });
  const payload = { levels: Array(60_000).fill("x") };
  const decoded = z.object({ levels: z.array(z.number()) });
  for (const error of [
    await errorOf(parseConsoleUplink(JSON.stringify(wrong))),
    await errorOf(parseConsoleUplink(consoleUplink(payload), { decoded })),
  ] as UplinkParseError[]) {
    expect(error.problems).toHaveLength(20);
    expect(error.problems.at(-1)).toEqual(MORE);
    expect(error.message.length).toBeLessThan(3_000);
  }
});
