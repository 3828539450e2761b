import { expect, test } from "vitest";
import { createConsoleClient } from "../../console-client/src/index.ts";
import { createLedgerClient } from "../../ledger-client/src/index.ts";
import { createSandbox } from "../../sandbox/src/index.ts";

// With one place, whatever holds it while the code of the caller runs would never end.

/** Clients with one place, and the most requests that each of their services had at once. */
function openClients() {
  const sandbox = createSandbox({ seed: 1 });
  const most = { console: 0, ledger: 0 };
  const limited = (service: keyof typeof most) => {
    const { fetch, baseUrl } = sandbox[service];
    let atOnce = 0;
    return {
      baseUrl,
      apiKey: sandbox.apiKey,
      maxConcurrent: 1,
      totalTimeout: 5_000,
      fetch: async (...request: Parameters<typeof fetch>) => {
        most[service] = Math.max(most[service], ++atOnce);
        try {
          const response = await fetch(...request);
          return new Response(await response.text(), response);
        } finally {
          atOnce--;
        }
      },
    };
  };
  const { apiKey: _, ...ledger } = limited("ledger");
  return {
    most,
    console: createConsoleClient(limited("console")),
    ledger: createLedgerClient(ledger),
  };
}
type Clients = ReturnType<typeof openClients>;

/** Reads some items of a list. Each makes a call before the next one is read. */
async function readSome(
  list: AsyncIterable<unknown>,
  call: () => Promise<unknown>,
): Promise<number> {
  let read = 0;
  for await (const item of list) {
    await call();
    if (item !== undefined && ++read === 5) break;
  }
  return read;
}

const devices = Array.from({ length: 20 }, () => ({ id: crypto.randomUUID() }));

const WAYS: Readonly<Record<string, (clients: Clients) => Promise<number>>> = {
  "devices.each": ({ console: { devices: all, labels } }) =>
    readSome(all.each(), () => labels.list()),
  "a bulk run": ({ console: { devices: all, labels } }) =>
    readSome(all.deleteMany(devices, { settleTime: 0, concurrency: 4 }), () => labels.list()),
  "a walk": ({ ledger: { accounts, blocks } }) => readSome(accounts.list(), () => blocks.height()),
  "pages that are read ahead": ({ ledger: { accounts, blocks } }) =>
    readSome(accounts.list().pages(), () => blocks.height()),
  "a follower": ({ ledger: { blocks } }) =>
    readSome(blocks.follow({ from: 999_990 }), () => blocks.height()),
};

test.each(Object.entries(WAYS))("with one place, %s and the calls in it end", async (_, read) => {
  const clients = openClients();
  const loops = Array.from({ length: 8 }, () => read(clients));
  expect(await Promise.all(loops)).toEqual(loops.map(() => 5));
  expect(Math.max(...Object.values(clients.most))).toBe(1);
});
