import { createConsoleClient } from "@fieldmesh/console-client";
import { createSandbox, type FaultRule } from "@fieldmesh/sandbox";
import { expect, test } from "vitest";
import { canaries } from "../../../tools/canaries/canaries.ts";
import { CliError } from "../src/exit-codes.ts";
import { describeFailure } from "../src/failure.ts";
import { ClosedPipeError } from "../src/output/sink.ts";
import { testContext } from "./context.ts";

const NAME = "Pumps";

/** What becomes of a call that meets a fault. */
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
] as const)("%s has its exit code and one line", async (_what, fault, call, exitCode) => {
  const failure = await failWith(fault, call);
  expect(failure.exitCode).toBe(exitCode);
  expect(failure.sentence).toMatch(/^labels\.(list|create) [^\n]+$/);
});

test("an input that breaks a rule is the user's to correct", async () => {
  const client = await testContext({ sandbox: createSandbox() }).client("console");
  const error: unknown = await client.labels
    .get({ label_id: "x" })
    .catch((thrown: unknown) => thrown);
  expect(await describeFailure(error)).toMatchObject({ exitCode: 2 });
});

test("a client's option is named as a shell user gives it", async () => {
  const client = createConsoleClient({
    baseUrl: "http://127.0.0.1:1",
    apiKey: canaries.apiKey,
    retry: false,
  });
  const error: unknown = await client.labels.list().catch((thrown: unknown) => thrown);
  const { sentence } = await describeFailure(error);
  expect(sentence).toContain("check the address of the service and the network");
  expect(sentence).not.toContain("baseUrl");
});

const system = (code: string, more: object = {}): Error =>
  Object.assign(new Error(canaries.apiKey), { code, ...more });

test.each([
  [new CliError("Do it.", 4), 4, "Do it."],
  [new ClosedPipeError(), 0, undefined],
  [system("EPIPE"), 0, undefined],
  [system("ENOSPC", { path: "/a/b" }), 1, "/a/b: the disk is full"],
  [system("ENOENT", { path: "/a/b" }), 2, "/a/b: there is no such file"],
  [system("EACCES", { path: "/a/b" }), 2, "/a/b: you have no permission"],
  [system("EROFS", { path: "/a/b" }), 2, "/a/b: the disk is read-only"],
  [system("ENOSPC", { syscall: "write" }), 1, "What the command prints: the disk is full"],
  [
    new RangeError(canaries.apiKey),
    1,
    "This is a mistake in fieldmesh (RangeError at failure.test.ts:",
  ],
  [{ thrown: canaries.apiKey }, 1, "This is a mistake in fieldmesh (object)"],
])("%o tells what to do, and nothing that it quotes", async (error, exitCode, sentence) => {
  const failure = await describeFailure(error);
  expect(failure.exitCode).toBe(exitCode);
  if (sentence === undefined) expect(failure.sentence).toBeUndefined();
  else expect(failure.sentence).toContain(sentence);
  expect(failure.sentence ?? "").not.toMatch(new RegExp(`\n|${canaries.apiKey}`));
});
