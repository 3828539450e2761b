// Replaces the global Promise before or after the clients and the receiver are created, and prints how everything ends.
import { createConsoleClient } from "@fieldmesh/console-client";
import { createLedgerClient } from "@fieldmesh/ledger-client";
import { signedRequest } from "@fieldmesh/webhook-types";
import { createReceiver, memoryStore } from "@fieldmesh/webhook-types/receiver";
import { sampleEvent } from "@fieldmesh/webhook-types/samples";
import { canaries } from "../../../tools/canaries/canaries.ts";

const Native = Promise;
/** Like Bluebird, it lacks what is new. */
class OtherPromise<T> extends Native<T> {
  static override withResolvers = undefined as never;
}
const replace = (): void => void (globalThis.Promise = OtherPromise);

const fetch = async () => Response.json([]);
const secret = canaries.webhookSecret;
const request = await signedRequest(sampleEvent("sim.activated"), {
  url: "https://x.test",
  secret,
});
const create = {
  client: () =>
    createConsoleClient({ baseUrl: "https://x.test", apiKey: () => canaries.apiKey, fetch }),
  ledger: () => createLedgerClient({ baseUrl: "https://x.test", fetch }),
  receiver: () =>
    createReceiver({
      secret,
      store: memoryStore(),
      handlers: { "sim.activated": () => undefined },
      onError: (error) => console.log(JSON.stringify(["onError", String(error)])),
    }),
};

async function print(name: string, work: () => unknown): Promise<void> {
  try {
    const result = await work();
    console.log(JSON.stringify([name, result instanceof Response ? result.status : "ok"]));
  } catch (error) {
    console.log(JSON.stringify([name, String(error)]));
  }
}

if (process.argv[2] === "before") {
  replace();
  for (const [name, make] of Object.entries(create)) await print(name, make);
} else {
  const [client, ledger, receive] = [create.client(), create.ledger(), create.receiver()];
  replace();
  await print("call", () => client.labels.list());
  await print("request", () => client.request({ method: "GET", path: "/" }));
  await print("each", () => client.devices.each()[Symbol.asyncIterator]().next());
  await print("walk", () => ledger.accounts.list().toArray({ limit: 5 }));
  await print("page", () => ledger.accounts.list().page());
  await print("delivery", () => receive(request));
}
globalThis.Promise = Native;
// What nothing handles ends the process in its next turn.
await new Native((resolve) => setTimeout(resolve, 50));
console.log(JSON.stringify(["end", "ok"]));
