// Values that no schema declares, in every list and record of a service: hidden without --reveal, and in the ledger never.
import { once } from "node:events";
import { readFileSync } from "node:fs";
import { createServer, type Server } from "node:http";
import type { AddressInfo } from "node:net";
import { join } from "node:path";
import { afterAll, beforeAll, expect, test } from "vitest";
import { type ProgramUser, startUser } from "./user.ts";

const PLANTED = {
  remark: "CANARY-undeclared",
  api_token: "CANARY-token",
  deep: { note: ["CANARY-deep"], owner_signature: "CANARY-signature" },
};
const PUBLIC = {
  owner_signature: "+AAA=",
  master_key: "=BBB",
  price_oracle_public_keys: ["13CCC", "14DDD"],
};

let user: ProgramUser;
let server: Server;
let env: NodeJS.ProcessEnv;
/** The last records of the ledger, as they were sent. */
let sent: readonly object[] = [];
beforeAll(async () => {
  user = await startUser();
  const { origin } = new URL(user.sandbox.page);
  // Passes everything on, and adds fields to every record.
  server = createServer((request, response) => {
    void (async () => {
      const { method = "GET", url = "", headers } = request;
      const { host: _host, connection: _connection, ...passed } = headers;
      const there = await fetch(origin + url, {
        method,
        headers: passed as Record<string, string>,
      });
      const isLedger = url.startsWith("/ledger");
      const body = plant(await there.json(), isLedger ? PUBLIC : PLANTED);
      if (isLedger && typeof body === "object") sent = (body as { data: object[] }).data;
      response.writeHead(there.status, { "content-type": "application/json" });
      response.end(JSON.stringify(body));
    })();
  }).listen(0, "127.0.0.1");
  await once(server, "listening");
  const address = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  env = {
    CONSOLE_URL: `${address}/console`,
    LEDGER_URL: `${address}/ledger`,
    MOBILE_URL: `${address}/mobile`,
    MOBILE_KEY: user.sandbox.mobile.apiKey,
  };
});
afterAll(async () => {
  server.close();
  await user.close();
});

function plant(value: unknown, fields: object): unknown {
  if (Array.isArray(value)) return value.map((each) => plant(each, fields));
  if (typeof value !== "object" || value === null) return value;
  const own = Object.entries(value).map(([name, each]) => [name, plant(each, fields)]);
  return { ...Object.fromEntries(own), ...fields };
}

const deviceId = (): string => [...user.sandbox.console.state.devices.values()][0]?.id ?? "";
const label = (): string => [...user.sandbox.console.state.labels.values()][0]?.name ?? "";
const LINES: Readonly<Record<string, () => string>> = {
  "devices list": () => "console devices list",
  "devices get": () => `console devices get --device-id ${deviceId()}`,
  "devices events": () => `console devices events --device-id ${deviceId()}`,
  "labels list": () => "console labels list",
  "labels find": () => `console labels find --name=${encodeURIComponent(label())}`,
  "integrations list": () => "console integrations list",
  "organization list": () => "console organization list",
  "mobile events": () => "mobile events list --limit 3",
  "mobile event types": () => "mobile event-types list",
  "devices export": () => "devices export --format csv",
  "devices export as NDJSON": () => "devices export --format ndjson",
};

test.for(Object.entries(LINES))(
  "%s hides what nothing declares, and says so once",
  async ([, line]) => {
    const words = line().split(" ").map(decodeURIComponent);
    const isExport = words[1] === "export";
    const isList = !isExport && /list|events/.test(line());
    const out = join(user.folder, `${Math.random()}.ndjson`);
    const forms = [[], ["--json"], ...(isList ? [["--out", out]] : [])];
    for (const form of forms) {
      const { code, stdout, stderr } = await user.run([...words, ...form], env);
      const printed = form[0] === "--out" ? readFileSync(out, "utf8") : stdout;
      expect({ line: line(), form, code }).toEqual({ line: line(), form, code: 0 });
      expect(printed).not.toContain("CANARY");
      expect(stderr).not.toContain("CANARY");
      const notes = stderr.match(/undeclared fields are hidden; --reveal shows them/g) ?? [];
      if (!isExport && printed.includes("[undeclared]")) expect(notes).toHaveLength(1);
    }
    if (isExport) return;
    const shown = await user.run([...words, "--json", "--reveal"], env);
    if (shown.stdout.trim() !== "") expect(shown.stdout).toContain("CANARY-undeclared");
    expect(shown.stderr).not.toContain("hidden");
  },
);

test("nothing of the ledger is hidden or changed, in JSON, tables and lists", async () => {
  const words = ["ledger", "accounts", "list", "--limit", "3"];
  const json = await user.run([...words, "--json"], env);
  const lines = json.stdout;
  const records = lines
    .trimEnd()
    .split("\n")
    .map((line) => JSON.parse(line) as object);
  expect(records).toEqual(sent.slice(0, 3));
  expect((await user.run([...words, "--json", "--reveal"], env)).stdout).toBe(lines);
  expect(lines).toContain('"owner_signature":"+AAA=","master_key":"=BBB"');
  const out = join(user.folder, "accounts.ndjson");
  await user.run([...words, "--out", out], env);
  expect(readFileSync(out, "utf8")).toBe(lines);
  const columns = ["--columns", "owner_signature,master_key,price_oracle_public_keys"];
  const table = await user.run([...words, ...columns], env);
  const row = `+AAA=\t=BBB\t["13CCC","14DDD"]\n`;
  expect(table.stdout).toBe(`${columns[1]?.replaceAll(",", "\t")}\n${row.repeat(3)}`);
  expect(await user.run([...words, ...columns, "--reveal"], env)).toEqual(table);
});
