// Replaces the global Promise before or after the clients and the receiver are created, and prints how everything ends.
import { createConsoleClient } from "../../console-client/src/index.ts";
import { createLedgerClient } from "../../ledger-client/src/index.ts";
import { signedRequest } from "../../webhook-types/src/index.ts";
import { createReceiver, memoryStore } from "../../webhook-types/src/receiver/index.ts";
import { sampleEvent } from "../../webhook-types/src/samples.ts";
import { canaries } from "../../../tools/canaries/canaries.ts";

/* oxlint-disable no-console -- the test reads what this program prints */
const print = (line: string): void => console.log(line);

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
      onError: (error) => print(JSON.stringify(["onError", String(error)])),
    }),
};

async function printEnd(name: string, work: () => unknown): Promise<void> {
  try {
    const result = await work();
    print(JSON.stringify([name, result instanceof Response ? result.status : "ok"]));
  } catch (error) {
    print(JSON.stringify([name, String(error)]));
  }
}

if (process.argv[2] === "before") {
  replace();
  for (const [name, make] of Object.entries(create)) await printEnd(name, make);
} else {
  const [client, ledger, receive] = [create.client(), create.ledger(), create.receiver()];
  replace();
  await printEnd("call", () => client.labels.list());
  await printEnd("request", () => client.request({ method: "GET", path: "/" }));
  await printEnd("each", () => client.devices.each()[Symbol.asyncIterator]().next());
  await printEnd("walk", () => ledger.accounts.list().toArray({ limit: 5 }));
  await printEnd("page", () => ledger.accounts.list().page());
  await printEnd("delivery", () => receive(request));
}
globalThis.Promise = Native;
// What nothing handles ends the process in its next turn.
await new Native((resolve) => setTimeout(resolve, 50));
print(JSON.stringify(["end", "ok"]));
