// The ledger's chapter of the tour: exact amounts, and lists that are longer than a response.
import { ago, createLedgerClient, formatBones } from "@fieldmesh/ledger-client";
import type { RunningSandbox } from "@fieldmesh/sandbox";
import { number, prove, say, show } from "./screen.ts";

/** Walks through the ledger of a sandbox. */
export async function tourLedger(sandbox: RunningSandbox): Promise<void> {
  const client = createLedgerClient({ baseUrl: sandbox.ledger.baseUrl });
  const address = sandbox.ledger.state.chain.addresses.of(0);

  say("The ledger needs no key. This one has a million blocks.");
  const account = await show(
    () => client.accounts.get({ address }),
    ["address", "balance", "speculative_nonce"],
  );
  const balance = account.balance ?? 0n;
  prove(
    "No rounded integer",
    BigInt(Number(balance)) !== balance,
    `the balance is ${formatBones(balance)} tokens; rounded to a number, it would be ${formatBones(BigInt(Number(balance)))}`,
  );

  say("A list is read page by page:");
  await show(
    () => client.blocks.list().toArray({ limit: 150 }),
    ["height", "time", "transaction_count"],
  );

  say("A walk stops after 100 rewards:");
  const rewards = { address, min_time: ago(1, "day") };
  const walk = client.accounts.rewards(rewards).walk();
  const first = [];
  for (let count = 0; count < 100; count++) first.push((await walk.next()).value);
  await walk.return();
  const checkpoint = await show(async () => walk.checkpoint(), ["call", "query", "items"]);

  say("Another process resumes it:");
  const rest = await show(
    () => client.accounts.rewards(rewards, { checkpoint }).toArray({ limit: Infinity }),
    ["block", "gateway", "amount"],
  );
  const whole = await client.accounts.rewards(rewards).toArray({ limit: Infinity });
  const texts = (items: readonly unknown[]) => items.map((item) => formatItem(item)).join("\n");
  prove(
    "Every record once",
    texts([...first, ...rest]) === texts(whole),
    `${first.length} before the stop + ${rest.length} after it = the ${number(whole.length)} of a walk that does not stop`,
  );
  say(
    "`fieldmesh ledger export rewards` writes them to CSV, SQLite or Parquet, and resumes after a kill.",
  );
}

const formatItem = (item: unknown): string =>
  JSON.stringify(item, (_, value: unknown) => (typeof value === "bigint" ? `${value}n` : value));
