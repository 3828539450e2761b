import { expect, test } from "vitest";
import { UsageError } from "./command-error.ts";
import { listenFailure } from "./listen-failure.ts";

// The errors as node:net creates them. `main.test.ts` has a port in use; a test cannot cause all of them on every machine.
test.each([
  [
    { code: "EADDRINUSE", address: "127.0.0.1", port: 4010 },
    "Port 4010 is in use. Choose another one; --port 0 is any free one.",
  ],
  [
    { code: "EACCES", address: "127.0.0.1", port: 80 },
    "Port 80 needs special permission. Choose one from 1024 up.",
  ],
  [
    { code: "EADDRNOTAVAIL", address: "192.0.2.1", port: 0 },
    "192.0.2.1 is not an address of this machine. Choose another --host.",
  ],
  [{ code: "ENOTFOUND" }, "That is not an address of this machine. Choose another --host."],
])("%j is told as one sentence", (properties, sentence) => {
  const failure = listenFailure(Object.assign(new Error("listen"), properties));
  expect(failure).toEqual(new UsageError(sentence));
  expect(failure?.exitCode).toBe(2);
});

test("any other error is not one for the user", () => {
  for (const error of [new Error("a bug"), Object.assign(new Error("x"), { code: "EMFILE" })])
    expect(listenFailure(error)).toBeUndefined();
});
