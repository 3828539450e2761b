import { execFileSync } from "node:child_process";
import { expect, test } from "vitest";
import type { RequestView } from "../src/engine/controls/wire.ts";
import { asCurl, asSentCurl } from "./copy.ts";

const create: RequestView = {
  number: 1,
  time: 0,
  service: "console",
  row: "devices.create",
  route: "POST /api/v1/devices",
  method: "POST",
  path: "/console/api/v1/devices",
  status: 201,
  duration: 1,
  fault: undefined,
  played: undefined,
  error: undefined,
  done: true,
  query: {},
  headers: { host: "127.0.0.1:4010", key: "[redacted]", "content-type": "application/json" },
  body: { kind: "json", value: { name: 'Tank "7" costs $5', app_key: "[redacted]" } },
  hasPrintedKey: true,
  note: undefined,
  program: undefined,
  response: undefined,
};

test("a request is copied as a curl command with variables in place of hidden values", () => {
  expect(asCurl(create)).toBe(`curl \\
  -X POST \\
  -H "key: $CONSOLE_KEY" \\
  "$CONSOLE_URL/api/v1/devices" \\
  --json @- <<JSON
{
  "name": "Tank \\\\"7\\\\" costs \\$5",
  "app_key": "\${APP_KEY:?set APP_KEY}"
}
JSON`);
  const read: RequestView = {
    ...create,
    method: "GET",
    path: "/console/api/v1/devices",
    query: { dev_eui: "0004A30B001C0530", app_key: "[redacted]" },
    body: { kind: "none" },
  };
  expect(asCurl(read)).toContain(
    '"$CONSOLE_URL/api/v1/devices?dev_eui=0004A30B001C0530&app_key=${APP_KEY:?set APP_KEY}"',
  );
  expect(
    asCurl({ ...read, headers: { authorization: "[redacted]" }, service: "mobile" }),
  ).toContain('-H "authorization: Bearer $MOBILE_KEY"');
});

test("a shell that runs the curl command sends the body unchanged", () => {
  const script = `curl() { cat; }\n${asCurl(create)}`;
  const sent = execFileSync("sh", ["-c", script], {
    encoding: "utf8",
    env: { ...process.env, APP_KEY: "2B7E" },
  });
  expect(JSON.parse(sent)).toEqual({ name: 'Tank "7" costs $5', app_key: "2B7E" });
});

test.each([
  [{ "content-type": "text/plain" }, '@a $file, "not" JSON', '-H "content-type: text/plain"'],
  [{}, "[redacted]", '-H "content-type:"'],
] as const)("a shell sends a body that is not JSON as it was: %j", (headers, text, flag) => {
  const curl = asCurl({ ...create, headers, body: { kind: "text", text } });
  expect(curl).toContain(flag);
  const script = `curl() { for last; do :; done; printf %s "$last"; }\n${curl}`;
  const env = { ...process.env, BODY: "broken: 2B7E" };
  const sent = execFileSync("sh", ["-c", script], { encoding: "utf8", env });
  expect(sent).toBe(text === "[redacted]" ? env.BODY : text);
});

test("a key that the sandbox does not print is a variable without which the shell stops", () => {
  const read: RequestView = {
    ...create,
    method: "GET",
    body: { kind: "none" },
    hasPrintedKey: false,
  };
  const curl = asCurl(read);
  expect(curl).toContain('-H "key: ${API_KEY:?set API_KEY}"');
  const run = () =>
    execFileSync("sh", ["-c", `curl() { :; }\n${curl}`], { stdio: "pipe", env: {} });
  expect(run).toThrow(/set API_KEY/);
});

test("a shell sends a request with its values byte for byte", () => {
  const body = `{"name":"it's $HOME \\ "x" \`id\`"}\n`;
  const curl = asSentCurl(
    { method: "POST", url: "/console/x?a='", headers: { key: "a'b", host: "x" }, body },
    "http://127.0.0.1:1",
  );
  const script = `curl() { for each; do printf '%s\\0' "$each"; done; }\n${curl}`;
  const sent = execFileSync("sh", ["-c", script], { encoding: "utf8" }).split("\0");
  expect(sent).toEqual([
    "-X",
    "POST",
    "-H",
    "key: a'b",
    "-H",
    "content-type:",
    "http://127.0.0.1:1/console/x?a='",
    "--data-binary",
    body,
    "",
  ]);
});

test("a command without a body that was not kept says so", () => {
  const sent = { method: "POST", url: "/console/x", headers: {}, body: "" };
  const comment = "# 12,345 characters of the body were not kept: the command has no more.\n";
  expect(asSentCurl({ ...sent, forgotten: 12_345 }, "http://127.0.0.1:1")).toBe(
    `${comment}curl -X POST http://127.0.0.1:1/console/x`.replace("http:", "'http:").concat("'"),
  );
});
