import { once } from "node:events";
import { signedRequest } from "@fieldmesh/webhook-types";
import { sampleEvent } from "@fieldmesh/webhook-types/samples";
import { afterAll, afterEach, expect, test, vi } from "vitest";
import { freePort } from "../tools/servers.ts";
import { openPrograms } from "./programs.ts";

// The program of the guide, as it is but for the port.

const secret = "whsec_test_secret_only";
const programs = openPrograms("frameworks", "shutdown");
afterEach(programs.stop);
afterAll(programs.remove);

/** Starts the program, and returns it with a way to deliver an event to it. */
async function start() {
  const port = await freePort();
  const file = programs.write("receiver", "## Shutting down", port);
  const program = await programs.start(file, port, {
    WEBHOOK_SECRET: secret,
    EVENTS_FILE: `${file}.db`,
  });
  const url = `http://127.0.0.1:${port}/hooks`;
  const deliver = async (id: string): Promise<string> => {
    const event = sampleEvent("sim.activated", { id });
    return (await fetch(await signedRequest(event, { url, secret }))).text();
  };
  return { ...program, url, deliver };
}

test("a stopped receiver handles what is in progress, accepts no more, and knows it after a restart", async () => {
  const first = await start();
  const inProgress = first.deliver("evt_1");
  await vi.waitFor(() => expect(first.output()).toContain("working: evt_1"));
  const exit = once(first.child, "exit");
  first.child.kill("SIGTERM");
  await vi.waitFor(() => expect(fetch(first.url)).rejects.toThrow("fetch failed"));
  expect(await inProgress).toBe("handled");
  const respondedAt = Date.now();
  expect(await exit).toEqual([0, null]);
  // The connection of a response stays open for 5 seconds otherwise.
  expect(Date.now() - respondedAt).toBeLessThan(2_500);

  const second = await start();
  expect(await second.deliver("evt_1")).toBe("duplicate");
  expect(await second.deliver("evt_2")).toBe("handled");
});
