import { expect, test } from "vitest";
import { createConsoleClient } from "../src/index.ts";

const WINDOW = 600;
const devices = Array.from({ length: 12 }, () => ({ id: crypto.randomUUID() }));

/** A console that deletes devices and records the order of the requests. */
function openConsole(): { client: ReturnType<typeof createConsoleClient>; sent: string[] } {
  const sent: string[] = [];
  const fetch = async (url: string, { method }: { method: string }) => {
    const { pathname } = new URL(url);
    sent.push(`${method} ${pathname.split("/")[3]}`);
    if (method === "DELETE") return new Response("Device was deleted");
    return Response.json([]);
  };
  const client = createConsoleClient({
    baseUrl: "https://console.test",
    apiKey: "one-of-my-keys",
    fetch,
    rateLimit: { requests: 6, window: WINDOW },
  });
  return { client, sent };
}

test("calls that start later precede the requests of a run", async () => {
  const { client, sent } = openConsole();
  const run = client.devices.deleteMany(devices, { settleTime: 0 });
  const all = run.then((report) => report.done);
  await new Promise((resolve) => setTimeout(resolve, WINDOW * 1.2));
  await client.labels.list();
  const before = sent.indexOf("GET labels");
  expect(await all).toBe(devices.length);
  expect(before).toBeGreaterThan(2);
  expect(before).toBeLessThan(sent.length - 2);
});
