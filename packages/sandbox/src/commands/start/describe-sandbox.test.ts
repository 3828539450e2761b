import type { Clock } from "@fieldmesh/core";
import { afterEach, beforeEach, expect, test, vi } from "vitest";
import manifest from "../../../package.json" with { type: "json" };
import { type RunningSandbox, startSandbox } from "../../server/start-sandbox.ts";
import { describeSandbox } from "./describe-sandbox.ts";
import type { SandboxSettings } from "./read-options.ts";

let sandbox: RunningSandbox<Clock>;
beforeEach(async () => {
  vi.stubEnv("FORCE_COLOR", undefined);
  vi.stubEnv("NO_COLOR", "1");
  sandbox = (await startSandbox()) as unknown as RunningSandbox<Clock>;
});
afterEach(async () => {
  vi.unstubAllEnvs();
  await sandbox.close();
});

const describe = (settings: SandboxSettings = {}, hasSecret = false): string =>
  describeSandbox(sandbox, settings, { hasSecret, program: "fieldmesh sandbox" });

/** Returns the lines of facts, which have a name in the first column. */
const facts = (settings: SandboxSettings = {}, hasSecret = false): string[] =>
  (describe(settings, hasSecret).split("\n\n")[1] ?? "").split("\n");

test("the description has the page, addresses, keys, variables and first calls", () => {
  const { origin, page } = sandbox;
  const { apiKey } = sandbox.console;
  expect(describe()).toBe(`fieldmesh sandbox ${manifest.version}  ${page}
Open this address to watch requests and deliveries. It contains a token: keep it to yourself.

  Console   ${origin}/console
  API key   ${apiKey}
  Ledger    ${origin}/ledger
  Mapper    ${origin}/mapper
  Mobile    ${origin}/mobile
  API key   ${sandbox.mobile.apiKey}
  Seed      1

  export CONSOLE_URL=${origin}/console
  export CONSOLE_KEY=${apiKey}
  export LEDGER_URL=${origin}/ledger
  export MAPPER_URL=${origin}/mapper
  export MOBILE_URL=${origin}/mobile
  export MOBILE_KEY=${sandbox.mobile.apiKey}
  export LEDGER_ACCOUNT=${sandbox.ledger.state.chain.addresses.of(7)}
  export FIELDMESH_SANDBOX='${page}'

  curl -H 'key: ${apiKey}' ${origin}/console/api/v1/labels
  curl ${origin}/ledger/v1/blocks/height
  fieldmesh sandbox trigger sim.activated

Press Ctrl-C to stop it.`);
});

test("with a file for the variables, their lines are replaced by its name", () => {
  const text = describe({ env: "my.env" });
  expect(text).toContain(
    "\n\n  The addresses and keys are in my.env: node --env-file=my.env <program>\n\n",
  );
  expect(text).not.toContain("export");
});

test("what was set is listed, each on a line", () => {
  const settings: SandboxSettings = {
    seed: "fleet 7",
    save: "end.json",
    latency: 0,
    faults: { rate: 0.125, kinds: ["reset", 503, { kind: "delay", ms: 5 }] },
    cors: false,
    console: { deployment: "hosted" },
  };
  expect(facts(settings).slice(6)).toEqual([
    "  Seed      fleet 7",
    "  Save      end.json",
    "  Latency   0 ms",
    "  Faults    12.5% of requests: reset, 503, delay=5",
    "  Switches  --no-cors",
    "            --console-deployment hosted",
  ]);
});

test("a sandbox from a snapshot names the file instead of the seed", () => {
  expect(facts({ from: "start.json" }).slice(6)).toEqual(["  From      start.json"]);
});

test.each([
  [0, "0%"],
  [1, "100%"],
  [0.07, "7%"],
  [0.12345, "12.35%"],
])("faults in a share of %f are %s of requests", (rate, percent) => {
  expect(facts({ faults: { rate } }).at(-1)).toBe(`  Faults    ${percent} of requests`);
  const faults = { rate, kinds: [503], duration: 90_000 };
  expect(facts({ faults }).at(-1)).toBe(`  Faults    ${percent} of requests: 503, for 90 s`);
});

test("a webhook endpoint has the secret that the sandbox made, and none that the user passed", () => {
  const url = "http://127.0.0.1:1/hooks";
  const { secrets } = sandbox.webhooks.register({ url });
  expect(facts().at(-1)).toBe(`  Webhook   ${url}  ${secrets[0]?.reveal()}`);
  expect(facts({}, true).at(-1)).toBe(`  Webhook   ${url}  signed with your secret`);
  sandbox.webhooks.register({ url: `${url}?token=a#b` });
  expect(facts({}, true).at(-1)).toBe(`  Webhook   ${url}  signed with your secret`);
});
