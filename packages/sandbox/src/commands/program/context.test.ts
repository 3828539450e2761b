import { canaries } from "../../../../../tools/canaries/canaries.ts";
import { PassThrough } from "node:stream";
import { expect, test } from "vitest";
import { UsageError } from "../command-error.ts";
import { createContext } from "./context.ts";

/** The streams of a program, and what was written to them. */
function open(how: { isJson: boolean; isQuiet?: boolean }, env: NodeJS.ProcessEnv = {}) {
  const [stdout, stderr] = [
    new PassThrough({ encoding: "utf8" }),
    new PassThrough({ encoding: "utf8" }),
  ];
  const context = createContext(how, { stdout, stderr, env }, signal);
  const written = () => [stdout, stderr].map((stream) => (stream.read() as string | null) ?? "");
  return { ...context, written };
}
const { signal } = new AbortController();

test("results are written to stdout, in columns or as NDJSON, and everything else to stderr", async () => {
  const rows = [
    { id: "evt_1", type: "sim.activated", count: 2n ** 70n },
    { id: "evt_22", type: "plan.created" },
  ];
  const { output, written } = open({ isJson: false });
  await output.records(rows, ["id", "type"]);
  await output.line("a line");
  output.note("a note");
  expect(written()).toEqual(["evt_1   sim.activated\nevt_22  plan.created\na line\n", "a note\n"]);
  const asJson = open({ isJson: true });
  await asJson.output.records(rows, ["id"]);
  await asJson.output.record({ id: 1 });
  expect(asJson.written()[0]).toBe(
    '{"id":"evt_1","type":"sim.activated","count":1180591620717411303424}\n{"id":"evt_22","type":"plan.created"}\n{"id":1}\n',
  );
});

test("the columns of a table are as wide as their widest cell, and a value that is no text is JSON", async () => {
  const { output, written } = open({ isJson: false });
  const rows = [{ id: "a", count: 12, at: null }, { id: "bbb", at: ["x"] }, "word", 7];
  await output.records(rows, ["id", "count", "at"]);
  expect(written()[0]).toBe(
    ["a     12    null", 'bbb         ["x"]', "word  word  word", "7     7     7", ""].join("\n"),
  );
});

test("a record is one line of JSON, and a table without rows or columns is empty", async () => {
  const { output, written } = open({ isJson: false });
  await output.records([], ["id"]);
  expect(written()[0]).toBe("");
  await output.record({ id: "evt_1" });
  expect(written()[0]).toBe('{"id":"evt_1"}\n');
  await output.records([{ id: "evt_1" }]);
  expect(written()[0]).toBe("\n");
});

test("--quiet leaves out notes, and not results", async () => {
  const { output, written } = open({ isJson: false, isQuiet: true });
  output.note("a note");
  await output.line("a line");
  expect(written()).toEqual(["a line\n", ""]);
  expect(output.isQuiet).toBe(true);
  expect(open({ isJson: true }).output).toMatchObject({ isJson: true, isQuiet: false });
});

test("the name of the program is in hints, and it shows the secrets of its own sandbox", () => {
  expect(open({ isJson: false })).toMatchObject({ program: "fieldmesh-sandbox", reveal: true });
});

test("a missing secret is an error that names what to set, not a question", async () => {
  await expect(open({ isJson: false }).prompt.secret("Secret", "set X")).rejects.toThrow(
    new UsageError("The signing secret is missing: set X."),
  );
});

test("the client uses the address and the key of the environment", async () => {
  const clientOf = (env: NodeJS.ProcessEnv) => open({ isJson: false }, env).client("mobile");
  const MOBILE_URL = "http://127.0.0.1:1/mobile";
  const MOBILE_KEY = canaries.mobileKey;
  for (const env of [{}, { MOBILE_URL }, { MOBILE_KEY }, { MOBILE_URL: "", MOBILE_KEY }])
    await expect(clientOf(env)).rejects.toThrow(
      new UsageError("Set MOBILE_URL and MOBILE_KEY, the address and key of the service."),
    );
  expect((await clientOf({ MOBILE_URL, MOBILE_KEY })).mode).toBe("sandbox");
  const failing = clientOf({ MOBILE_URL: "no address", MOBILE_KEY });
  await expect(failing).rejects.toBeInstanceOf(UsageError);
});
