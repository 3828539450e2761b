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
  -H 'key: '"$CONSOLE_KEY" \\
  "$CONSOLE_URL"/api/v1/devices \\
  --json '{"name":"Tank '"\\\\"'"7'"\\\\"'" costs $5","app_key":"'"\${SENT_APP_KEY:?set SENT_APP_KEY}"'"}'`);
  const read: RequestView = {
    ...create,
    method: "GET",
    path: "/console/api/v1/devices",
    query: { dev_eui: "0004A30B001C0530", app_key: "[redacted]" },
    body: { kind: "none" },
  };
  expect(asCurl(read)).toContain(
    `"$CONSOLE_URL"'/api/v1/devices?dev_eui=0004A30B001C0530&app_key='"\${SENT_APP_KEY:?set SENT_APP_KEY}"`,
  );
  expect(
    asCurl({ ...read, headers: { authorization: "[redacted]" }, service: "mobile" }),
  ).toContain(`-H 'authorization: Bearer '"$MOBILE_KEY"`);
});

test("a shell that runs the curl command sends the body unchanged", () => {
  const script = `curl() { for last; do :; done; printf %s "$last"; }\n${asCurl(create)}`;
  const sent = execFileSync("sh", ["-c", script], {
    encoding: "utf8",
    env: { ...process.env, SENT_APP_KEY: "2B7E" },
  });
  expect(JSON.parse(sent)).toEqual({ name: 'Tank "7" costs $5', app_key: "2B7E" });
});

test.each([
  [{ "content-type": "text/plain" }, '@a $file, "not" JSON', "-H 'content-type: text/plain'"],
  [{}, "[redacted]", "-H content-type:"],
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
  expect(curl).toContain(`-H 'key: '"\${API_KEY:?set API_KEY}"`);
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
  const sent = execFileSync("bash", ["-c", script], { encoding: "utf8" }).split("\0");
  expect(sent).toEqual([
    "-X",
    "POST",
    "-H",
    "key: a'b",
    "-H",
    "content-type:",
    "http://127.0.0.1:1/console/x?a='",
    "--data-raw",
    body,
    "",
  ]);
});

test("a copied request whose body was not kept says so, and the shell asks for the body", () => {
  const lost: RequestView = { ...create, body: { kind: "left_out", length: 70_000 } };
  const start: RequestView = { ...create, body: { kind: "text", text: '{"name', whole: 70_000 } };
  const sent = { method: "POST", url: "/console/api/v1/labels", headers: {}, body: undefined };
  for (const command of [asCurl(lost), asCurl(start), asSentCurl(sent, "http://127.0.0.1:4010")]) {
    expect(command).toContain("set BODY: the sandbox has not kept the whole body");
    const script = `curl() { printf "%s" "$*"; }\n${command}`;
    const env = { CONSOLE_URL: "http://127.0.0.1:4010", CONSOLE_KEY: "key" };
    expect(() => execFileSync("sh", ["-c", script], { env, stdio: "pipe" })).toThrow("set BODY");
    const complete = { ...env, BODY: "all of it" };
    expect(execFileSync("sh", ["-c", script], { encoding: "utf8", env: complete })).toContain(
      "--data-binary all of it",
    );
  }
});
