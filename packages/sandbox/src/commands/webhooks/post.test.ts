import { Secret } from "@fieldmesh/core";
import { afterEach, expect, test, vi } from "vitest";
import { canaries } from "../../../../../tools/canaries/canaries.ts";
import { CommandError } from "../command-error.ts";
import { testContext } from "../testing/context.ts";
import { fakeSandbox, serveLocal } from "../testing/fake-sandbox.ts";
import { post } from "./send-request.ts";

const secret = new Secret(canaries.webhookSecret);
const { signal } = testContext();
afterEach(() => void vi.restoreAllMocks());

test.each([
  [200, "handled", "handled", true],
  [204, "", "", true],
  [299, "a".repeat(30), "a".repeat(30), true],
  [200, "a".repeat(31), "", true],
  [302, "moved", "moved", false],
  [401, "not_verified", "not_verified", false],
  [500, "Internal Server Error", "", false],
  [500, "handled\n", "", false],
  [500, " handled", "", false],
  [500, "Handled", "", false],
  [500, "x1", "", false],
])(
  "a response with status %i and the body %j is read",
  async (status, text, outcome, isAccepted) => {
    await using server = await fakeSandbox({ "POST /hooks": { status, text } });
    const posted = await post({ id: "evt_1" }, { url: new URL(server.url), secret, signal });
    expect(posted).toEqual({ status, outcome, isAccepted });
    expect(server.requests).toHaveLength(1);
  },
);

test("a receiver has 30 seconds to respond, and the message has no path and no query", async () => {
  const url = new URL("http://127.0.0.1:1/hooks?token=canary");
  await expect(post({ id: "evt_1" }, { url, secret, signal })).rejects.toThrow(
    new CommandError("Nothing responds at http://127.0.0.1:1. Is the receiver running?"),
  );
  const timeout = vi.spyOn(AbortSignal, "timeout").mockReturnValue(AbortSignal.abort());
  await expect(post({ id: "evt_1" }, { url, secret, signal })).rejects.toThrow(
    new CommandError("No response from http://127.0.0.1:1 within 30 s."),
  );
  expect(timeout).toHaveBeenCalledWith(30_000);
});

test("Ctrl-C ends a post with the reason of the signal", async () => {
  const context = testContext();
  await using server = await serveLocal(() => context.interrupt());
  const target = { url: new URL(server.url), secret, signal: context.signal };
  const error: unknown = await post({ id: "evt_1" }, target).catch((thrown: unknown) => thrown);
  expect(error).toBe(context.signal.reason);
});
