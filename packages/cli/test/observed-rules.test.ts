import { mkdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { type RunningSandbox, startSandbox } from "@fieldmesh/sandbox";
import { createConsoleClient } from "@fieldmesh/console-client";
import { afterAll, beforeAll, beforeEach, describe, expect, test } from "vitest";
import { canaries } from "../../../tools/canaries/canaries.ts";
import { type Ended, type ProgramUser, startUser } from "./user.ts";

// What only running deployments reject is sent with --no-observed-rules, as it was written.

const HINT = "(observed; --no-observed-rules turns this off)";
const LONG = "P".repeat(53);
const UNUSUAL = "propfind";
const SHORT_EUI = "0004a30b00000";

let user: ProgramUser;
/** Another console, without records. */
let target: RunningSandbox;
beforeAll(async () => {
  user = await startUser();
  target = await startSandbox({ console: { data: "empty" } });
  const { sandbox } = user;
  const from = createConsoleClient({ baseUrl: sandbox.console.baseUrl, apiKey: sandbox.apiKey });
  for (const { id } of await from.integrations.list())
    await from.integrations.delete({ integration_id: id });
  const endpoint = "https://lake.example";
  await from.integrations.createHttp({ name: "Lake", method: "post", endpoint });
  mkdirSync(file("files"));
  writeFileSync(file("http.json"), JSON.stringify({ endpoint }));
  const lake = { type: "http", method: UNUSUAL, endpoint };
  writeFileSync(file("mapping.json"), JSON.stringify({ integrations: { Lake: lake } }));
  const device = `Tank,${SHORT_EUI},70B3D57ED0010001,${canaries.appKey}`;
  writeFileSync(file("devices.csv"), `name,dev_eui,app_eui,app_key\n${device}\n`);
  await run("fleet export files/fleet.json --clear");
});
afterAll(async () => {
  await target.close();
  await user.close();
});
beforeEach(() => {
  user.sandbox.log.clear();
  target.log.clear();
});

const file = (name: string): string => join(user.folder, name);

function run(line: string, own: NodeJS.ProcessEnv = {}): Promise<Ended> {
  const isFile = /\.(csv|json)$/;
  return user.run(
    line.split(" ").map((word) => (isFile.test(word) ? file(word) : word)),
    own,
  );
}

/** What reached a console to change it. */
const sentTo = ({ log }: RunningSandbox): string =>
  log
    .requests()
    .flatMap(({ method, body }) => (method === "POST" ? [body] : []))
    .join("\n");

describe.each([
  ["a row", `console labels create --name ${LONG}`, `"name":"${LONG}"`],
  [
    "a row that reads a file",
    `console integrations create-http --name Sea --method ${UNUSUAL} --input http.json`,
    `"method":"${UNUSUAL}"`,
  ],
  ["devices import", "devices import devices.csv", `"dev_eui":"${SHORT_EUI}"`],
])("%s", (_, line, sent) => {
  test("checks the rules of running deployments, and its message says how to turn them off", async () => {
    const { code, stderr } = await run(line);
    expect([code > 0, stderr]).toEqual([true, expect.stringContaining(HINT)]);
    expect(sentTo(user.sandbox)).toBe("");
  });

  test("sends the input as it was written with --no-observed-rules", async () => {
    expect(await run(`${line} --no-observed-rules`)).toMatchObject({ code: 0 });
    expect(sentTo(user.sandbox)).toContain(sent);
  });
});

describe("the fleet commands", () => {
  const there = (): NodeJS.ProcessEnv => ({
    CONSOLE_URL: target.console.baseUrl,
    CONSOLE_KEY: target.apiKey,
  });
  const words = "files/fleet.json --mapping mapping.json";

  test.each(["plan", "apply", "verify"])("%s checks the mapping file by them", async (command) => {
    const { code, stderr } = await run(`fleet ${command} ${words}`, there());
    expect([code, stderr]).toEqual([2, expect.stringContaining(HINT)]);
  });

  test("apply sends what the mapping file has with --no-observed-rules", async () => {
    const off = `${words} --no-observed-rules`;
    expect(await run(`fleet plan ${off}`, there())).toMatchObject({ code: 0 });
    expect(await run(`fleet apply ${off} --settle-time 0.01`, there())).toMatchObject({ code: 0 });
    expect(sentTo(target)).toContain(`"method":"${UNUSUAL}"`);
    expect(await run(`fleet verify ${off}`, there())).toMatchObject({ code: 0 });
  });
});

test.each(["mapper ingest", "mobile subscriptions create"])(
  "%s accepts --no-observed-rules, and its help lists it",
  async (words) => {
    const { code, stdout } = await run(`${words} --no-observed-rules --help`);
    expect([code, stdout]).toEqual([0, expect.stringContaining("--no-observed-rules")]);
  },
);
