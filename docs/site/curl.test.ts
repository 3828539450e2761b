import type { ConsoleClient } from "@fieldmesh/console-client";
import { execFile, spawnSync } from "node:child_process";
import { promisify } from "node:util";
import { startSandbox, type RunningSandbox } from "@fieldmesh/sandbox";
import { afterAll, beforeAll, expect, test } from "vitest";
import { apiKeyOf, exampleScope } from "../../tools/testing/example-scopes.ts";
import { rowsOf } from "../documents/operations.ts";
import { services } from "@fieldmesh/sandbox/internal/services";
import { readSourceTypes } from "../documents/source-types.ts";
import { curl, keyVariable, urlVariable } from "./curl.ts";

const run = promisify(execFile);
const types = readSourceTypes();
const rows = services.flatMap((service) =>
  rowsOf(service, types).map((row) => ({ service, row, call: `${service.name} ${row.call}` })),
);
const isThere = spawnSync("curl", ["--version"]).error === undefined;
let sandbox: RunningSandbox;

beforeAll(async () => {
  sandbox = await startSandbox({ seed: 1 });
});
afterAll(() => sandbox.close());

/** What some commands need in addition, because their sample names something that the examples lack or already have. */
const moreOf: Readonly<Record<string, (scope: Record<string, unknown>) => unknown>> = {
  "vars.get": () => ({ name: "monthly_reward" }),
  "labels.create": async ({ client, label_id }) =>
    (client as ConsoleClient).labels.delete({ label_id: String(label_id) }),
  "integrations.find": async ({ client }) => {
    const partner = { name: "Data lake", type: "partner1", token: "t" } as const;
    await (client as ConsoleClient).integrations.createPrebuilt(partner);
  },
  // The first subscriber has a subscription, so it cannot be deleted.
  "subscribers.delete": ({ id }) => ({ subscriber_id: id }),
};

test("no line of a command is wider than a page", () => {
  const wide = rows
    .flatMap(({ row, service }) => curl(row, service).split("\n"))
    .filter((line) => line.length > 76);
  expect(wide).toEqual([]);
});

const more = isThere ? "" : ": skipped, because there is no curl";

// A single skipped test says that all of them are skipped.
test.skipIf(!isThere).for(isThere ? rows : rows.slice(0, 1))(
  `the command of $call runs${more}`,
  async ({ row, service }) => {
    sandbox.reset();
    const scope = await exampleScope(service, sandbox);
    Object.assign(scope, await moreOf[row.call]?.(scope));
    const texts = Object.entries(scope).filter(([, value]) => /string|number/.test(typeof value));
    const { baseUrl } = sandbox[service.name];
    const env = {
      PATH: process.env["PATH"],
      ...Object.fromEntries(texts.map(([name, value]) => [name, String(value)])),
      [urlVariable(service)]: baseUrl,
      config_profile_id: crypto.randomUUID(),
      idempotency_key: crypto.randomUUID(),
      [keyVariable(service)]: apiKeyOf(sandbox, service.name),
    };
    const command = curl(row, service).replace(/^curl/, "curl -s -w '\\n%{http_code}'");
    const { stdout } = await run("sh", ["-uc", command], { env });
    expect([stdout, Number(stdout.split("\n").at(-1))]).toEqual([stdout, row.endpoint.status]);
  },
);
