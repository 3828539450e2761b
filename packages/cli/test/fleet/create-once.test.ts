import { createConsoleClient } from "@fieldmesh/console-client";
import { expect, test } from "vitest";
import { canaries } from "../../../../tools/canaries/canaries.ts";
import { createOnce } from "../../src/fleet/runs/create-once.ts";

/** Creates a label in a console that responds with a status first. Returns how it ended, and the number of requests. */
async function createAfter(status: number) {
  let requests = 0;
  const { labels } = createConsoleClient({
    baseUrl: "https://console.test",
    apiKey: canaries.apiKey,
    fetch: async () => {
      const first = requests++ === 0;
      const label = { id: "4a1d3f0c-6f0d-4d6c-9d3b-0a2f5e8b7c11", name: "Pumps" };
      return first ? new Response("", { status }) : Response.json(label, { status: 201 });
    },
  });
  const end = await createOnce({
    context: { signal: new AbortController().signal },
    what: 'the label "Pumps"',
    create: (how) => labels.create({ name: "Pumps" }, how),
    find: async () => undefined,
    settleTime: 1,
  }).catch((error: Error) => error.message);
  return { end, requests };
}

test.each([408, 504])(
  "does not create twice what a console may still be at work on: %i",
  async (status) => {
    const { end, requests } = await createAfter(status);
    expect(end).toMatch(/^It is not known whether the label "Pumps" was created/);
    expect(requests).toBe(1);
  },
);

test.each([500, 502, 503])("creates again what a console has given up: %i", async (status) => {
  expect(await createAfter(status)).toEqual({ end: "created", requests: 2 });
});
