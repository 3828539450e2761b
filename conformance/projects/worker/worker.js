import { createConsoleClient } from "@fieldmesh/console-client";
import { createReceiver, memoryStore } from "@fieldmesh/webhook-types/receiver";

let receive;

export default {
  async fetch(request, env) {
    if (new URL(request.url).pathname === "/labels") {
      const client = createConsoleClient({ baseUrl: env.CONSOLE_URL, apiKey: env.CONSOLE_KEY });
      return Response.json(await client.labels.list());
    }
    receive ??= createReceiver({
      secret: env.WEBHOOK_SECRET,
      store: memoryStore(),
      handlers: { otherwise: () => undefined },
    });
    return receive(request);
  },
};
