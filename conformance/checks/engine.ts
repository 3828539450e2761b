import { createConsoleClient } from "@fieldmesh/console-client";
import { createSandbox } from "@fieldmesh/sandbox/engine";
import { expectSame } from "../expect.ts";
import type { Check } from "../setting.ts";

const SEED = 7;

/** The sandbox within the runtime itself: without a server, and with nothing of Node. */
export const engineChecks: readonly Check[] = [
  {
    title: "a sandbox in the runtime serves a client, loses a response, and delivers a webhook",
    run: async () => {
      const sandbox = createSandbox({
        seed: SEED,
        faults: [{ on: "labels.list", kind: "lost", times: 1 }],
      });
      const client = createConsoleClient({
        ...sandbox.console,
        apiKey: sandbox.apiKey,
        retry: { baseDelay: 1 },
      });
      const created = await client.labels.create({ name: "north" });
      expectSame(
        (await client.labels.list()).filter(({ id }) => id === created.id).map(({ name }) => name),
        ["north"],
      );
      expectSame(
        sandbox.log.requests("labels.list").map(({ fault, status }) => [fault?.kind, status]),
        [
          ["lost", undefined],
          [undefined, 200],
        ],
      );
      let body = "";
      sandbox.webhooks.register({
        url: "https://example.com/hooks",
        fetch: async (request) => {
          body = await new Request(request).text();
          return new Response(null, { status: 204 });
        },
      });
      const { id } = await sandbox.webhooks.trigger("sim.activated");
      expectSame((JSON.parse(body) as { id: string }).id, id);
    },
  },
  {
    title: "a fork of a sandbox in the runtime changes nothing of the first",
    run: async () => {
      const sandbox = createSandbox({ seed: SEED });
      const fork = sandbox.fork();
      const client = createConsoleClient({ ...fork.console, apiKey: fork.apiKey });
      await client.labels.create({ name: "only in the fork" });
      expectSame(fork.console.state.labels.size, sandbox.console.state.labels.size + 1);
    },
  },
];
