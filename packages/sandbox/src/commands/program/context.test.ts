import { canaries } from "../../../../../tools/canaries/canaries.ts";
import { afterEach, beforeEach, expect, test, vi } from "vitest";
import { UsageError } from "../command-error.ts";
import { createContext } from "./context.ts";

let stdout = "";
let stderr = "";
beforeEach(() => {
  stdout = "";
  stderr = "";
  vi.spyOn(process.stdout, "write").mockImplementation((text) => ((stdout += text), true));
  vi.spyOn(process.stderr, "write").mockImplementation((text) => ((stderr += text), true));
});
afterEach(() => {
  vi.restoreAllMocks();
  vi.unstubAllEnvs();
});
const { signal } = new AbortController();

test("results are written to stdout, in columns or as NDJSON, and everything else to stderr", async () => {
  const rows = [
    { id: "evt_1", type: "sim.activated", count: 2n ** 70n },
    { id: "evt_22", type: "plan.created" },
  ];
  const { output } = createContext({ isJson: false }, signal);
  await output.records(rows, ["id", "type"]);
  await output.line("a line");
  output.note("a note");
  expect(stdout).toBe("evt_1   sim.activated\nevt_22  plan.created\na line\n");
  expect(stderr).toBe("a note\n");
  stdout = "";
  const asJson = createContext({ isJson: true }, signal).output;
  await asJson.records(rows, ["id"]);
  await asJson.record({ id: 1 });
  expect(stdout).toBe(
    '{"id":"evt_1","type":"sim.activated","count":1180591620717411303424}\n{"id":"evt_22","type":"plan.created"}\n{"id":1}\n',
  );
});

test("a missing secret is an error that names what to set, not a question", async () => {
  await expect(
    createContext({ isJson: false }, signal).prompt.secret("Secret", "set X"),
  ).rejects.toThrow(new UsageError("The signing secret is missing: set X."));
});

test("the client uses the address and the key of the environment", async () => {
  vi.stubEnv("MOBILE_URL", "http://127.0.0.1:1/mobile");
  await expect(createContext({ isJson: false }, signal).client("mobile")).rejects.toThrow(
    "MOBILE_KEY",
  );
  vi.stubEnv("MOBILE_KEY", canaries.mobileKey);
  expect((await createContext({ isJson: false }, signal).client("mobile")).mode).toBe("sandbox");
  vi.stubEnv("MOBILE_URL", "no address");
  const failing = createContext({ isJson: false }, signal).client("mobile");
  await expect(failing).rejects.toBeInstanceOf(UsageError);
});
