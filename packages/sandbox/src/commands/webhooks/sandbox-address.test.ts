import { afterEach, beforeEach, expect, onTestFinished, test, vi } from "vitest";
import { rememberSandbox } from "../../server/last-sandbox.ts";
import { UsageError } from "../command-error.ts";
import { namedSandbox, readAddress, startedLast } from "./sandbox-address.ts";
import { temporaryFolder } from "../../../../../tools/testing/temporary-folder.ts";

const FORM = "needs an address such as http://127.0.0.1:14010/#token=…, as a sandbox prints it.";
const ELSEWHERE = "needs an address of this machine: 127.0.0.1 or localhost.";
let folder: string;
beforeEach(() => {
  folder = temporaryFolder(onTestFinished);
  vi.stubEnv("XDG_RUNTIME_DIR", folder);
});
afterEach(() => {
  vi.unstubAllEnvs();
});

test.each([
  ["http://127.0.0.1:14010/#token=ab-c_1", "http://127.0.0.1:14010", "ab-c_1"],
  ["http://localhost:7/console?x=1#token=a", "http://localhost:7", "a"],
  ["http://127.0.0.1:14010", "http://127.0.0.1:14010", undefined],
  ["http://127.0.0.1:14010/#token=", "http://127.0.0.1:14010", undefined],
  ["http://127.0.0.1:14010/#token=a&b", "http://127.0.0.1:14010", undefined],
  ["http://127.0.0.1:14010/#my-token=a", "http://127.0.0.1:14010", undefined],
  ["http://127.0.0.1:14010/#x#token=a", "http://127.0.0.1:14010", undefined],
])("%s is read as an origin and a token", (text, origin, token) => {
  expect(readAddress(text, "--sandbox-url")).toEqual({ origin, token, named: "--sandbox-url" });
});

test.each([
  ["", FORM],
  ["14010", FORM],
  ["127.0.0.1:14010", FORM],
  ["https://127.0.0.1:14010", FORM],
  ["ftp://127.0.0.1", FORM],
  ["http://user@127.0.0.1:14010", FORM],
  ["http://:canary@127.0.0.1:14010", FORM],
  ["http://user:canary@127.0.0.1:14010", FORM],
  ["http://example.com/#token=canary", ELSEWHERE],
])("the address %j is rejected, and is not quoted", (text, sentence) => {
  for (const named of ["--sandbox-url", "FIELDMESH_SANDBOX"] as const)
    expect(() => readAddress(text, named)).toThrow(new UsageError(`${named} ${sentence}`));
});

test("the environment names a sandbox, unless its variable is unset or empty", () => {
  expect(namedSandbox({ FIELDMESH_SANDBOX: "http://127.0.0.1:5/#token=a" })).toEqual({
    origin: "http://127.0.0.1:5",
    token: "a",
    named: "FIELDMESH_SANDBOX",
  });
  expect(namedSandbox({})).toBeUndefined();
  expect(namedSandbox({ FIELDMESH_SANDBOX: "" })).toBeUndefined();
  expect(() => namedSandbox({ FIELDMESH_SANDBOX: "no" })).toThrow(
    new UsageError(`FIELDMESH_SANDBOX ${FORM}`),
  );
});

test("the sandbox that was started last has its token, and a variable did not name it", () => {
  expect(startedLast()).toBeUndefined();
  const forget = rememberSandbox("http://127.0.0.1:6/#token=kept");
  expect(startedLast()).toEqual({ origin: "http://127.0.0.1:6", token: "kept", named: undefined });
  forget();
  expect(startedLast()).toBeUndefined();
});

test("the token of the sandbox that runs at an address is used instead of the one in the address", () => {
  const forget = rememberSandbox("http://127.0.0.1:6/#token=new");
  const at = (text: string) => readAddress(text, "--sandbox-url").token;
  expect(at("http://127.0.0.1:6/#token=old")).toBe("new");
  expect(at("http://127.0.0.1:6")).toBe("new");
  expect(at("http://127.0.0.1:7/#token=old")).toBe("old");
  forget();
  expect(at("http://127.0.0.1:6/#token=old")).toBe("old");
});
