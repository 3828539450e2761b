import { createConsoleClient } from "@fieldmesh/console-client";
import { FieldmeshError } from "@fieldmesh/core";
import { CommandError, createSandbox, type FaultRule } from "@fieldmesh/sandbox";
import { expect, test } from "vitest";
import { canaries } from "../../../tools/canaries/canaries.ts";
import { CliError } from "../src/exit-codes.ts";
import { describeFailure, formatReport } from "../src/commands/failure.ts";
import { ClosedPipeError } from "../src/output/output.ts";
import { testContext } from "./context.ts";
import { startHttp } from "../../../tools/testing/http-server.ts";
import { runHere } from "./user.ts";

const NAME = "Pumps";

/** Returns the failure of a call that meets a fault. */
async function failWith(kind: Pick<FaultRule, "kind">, call: "read" | "write") {
  const sandbox = createSandbox({ faults: [{ on: "*", times: Infinity, ...kind } as FaultRule] });
  const client = (await testContext({ sandbox }).client("console")).withOptions({ retry: false });
  const error: unknown = await (
    call === "read" ? client.labels.list() : client.labels.create({ name: NAME })
  ).catch((thrown: unknown) => thrown);
  return await describeFailure(error);
}

test.each([
  ["a write whose connection broke", { kind: "reset" }, "write", 3],
  ["a write whose response was cut off", { kind: "truncate" }, "write", 3],
  ["a read whose connection broke", { kind: "reset" }, "read", 1],
] as const)(
  "%s is reported with its exit code on one line",
  async (_what, fault, call, exitCode) => {
    const failure = await failWith(fault, call);
    expect(failure.exitCode).toBe(exitCode);
    expect(failure.report?.message).toMatch(/^labels\.(list|create) [^\n]+$/);
    expect(failure.report?.docs).toMatch(/^https:.+\/errors\/\w+Error\.html$/);
  },
);

test("an input that breaks a rule has the exit code for user errors", async () => {
  const client = await testContext({ sandbox: createSandbox() }).client("console");
  const error: unknown = await client.labels
    .get({ label_id: "x" })
    .catch((thrown: unknown) => thrown);
  expect(await describeFailure(error)).toMatchObject({ exitCode: 2 });
});

test("the report of an error contains its page, on a separate line or in the JSON object", async () => {
  const cause = new FieldmeshError("It ended.");
  const { report } = await describeFailure(new CliError("It ended. Resume it.", 1, { cause }));
  const docs = "https://fieldmesh.github.io/fieldmesh/errors/FieldmeshError.html";
  expect(formatReport(report!, false)).toBe(`fieldmesh: It ended. Resume it.\nSee ${docs}\n`);
  expect(JSON.parse(formatReport(report!, true))).toEqual({
    name: "FieldmeshError",
    message: "It ended. Resume it.",
    docs,
  });
  expect(formatReport({ name: "CliError", message: "Do it." }, false)).toBe("fieldmesh: Do it.\n");
});

test("an error of a command of the sandbox is reported as one of this program", async () => {
  const { exitCode, report } = await describeFailure(new CommandError("It is locked."));
  expect([exitCode, report]).toEqual([1, { name: "CliError", message: "It is locked." }]);
});

test("a message names an option of a client as the shell user sets it", async () => {
  const client = createConsoleClient({
    baseUrl: "http://127.0.0.1:1",
    apiKey: canaries.apiKey,
    retry: false,
  });
  const error: unknown = await client.labels.list().catch((thrown: unknown) => thrown);
  const { report } = await describeFailure(error);
  expect(report?.message).toContain("check the address of the service and the network");
  expect(report?.message).not.toContain("baseUrl");
});

const system = (code: string, more: object = {}): Error =>
  Object.assign(new Error(canaries.apiKey), { code, ...more });

test.each([
  [new CliError("Do it.", 4), 4, "Do it."],
  [new ClosedPipeError(), 0, undefined],
  [system("EPIPE"), 0, undefined],
  [system("ENOSPC", { path: "/a/b" }), 1, "The file or folder: the disk is full"],
  [system("ENOENT", { path: "/a/b" }), 2, "The file or folder: it does not exist"],
  [system("EACCES", { path: "/a/b" }), 2, "The file or folder: you have no permission"],
  [system("EROFS", { path: "/a/b" }), 2, "The file or folder: the disk is read-only"],
  [system("ENOSPC", { syscall: "write" }), 1, "What the command prints: the disk is full"],
  [
    new RangeError(canaries.apiKey),
    1,
    "This is a bug in fieldmesh (RangeError at failure.test.ts:",
  ],
  [{ thrown: canaries.apiKey }, 1, "This is a bug in fieldmesh (object)"],
])("the report of %o says what to do, and quotes no value", async (error, exitCode, sentence) => {
  const failure = await describeFailure(error);
  expect(failure.exitCode).toBe(exitCode);
  if (sentence === undefined) expect(failure.report).toBeUndefined();
  else expect(failure.report?.message).toContain(sentence);
  expect(failure.report?.message ?? "").not.toMatch(new RegExp(`\n|${canaries.apiKey}`));
});

// The exit code says what happened, whether or not the body of the error can be read.

const BODIES = {
  "that is not the gzip it says": { headers: { "content-encoding": "gzip" }, ends: "now" },
  "that breaks off": { headers: { "content-length": "900" }, ends: "early" },
  "that never ends": { headers: {}, ends: "never" },
} as const;

const LIST = "console labels list";
const CREATE = "console labels create --name Pumps";
const EACH = "devices export --out -";

test.each(
  (
    [
      [LIST, 403, 1],
      [CREATE, 422, 1],
      [CREATE, 500, 3],
      [EACH, 403, 1],
      ["ledger accounts list", 404, 1],
    ] as const
  ).flatMap((row) => Object.entries(BODIES).map(([kind, body]) => [...row, kind, body] as const)),
)("%s after a %i has the exit code %i, with a body %s", async (line, status, code, _, body) => {
  await using server = await startHttp((_request, response) => {
    response.writeHead(status, { "content-type": "text/html", ...body.headers });
    response.write("<html>");
    if (body.ends === "now") response.end();
    if (body.ends === "early") setTimeout(() => response.destroy(), 15);
  });
  const { baseUrl } = server;
  const env = { CONSOLE_URL: baseUrl, CONSOLE_KEY: canaries.apiKey, LEDGER_URL: baseUrl };
  const ended = await runHere(line.split(" "), env);
  expect([ended.code, server.received.length]).toEqual([code, 1]);
  expect(ended.stderr).toContain(`failed with ${status}`);
  expect(ended.stderr).toContain("its body could not be read");
});
