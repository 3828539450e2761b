// The ledger's chapter of the tour: what a list does that is longer than an answer, and what it costs to stop.
import {
  ago,
  createLedgerClient,
  formatBones,
  isKnownTransaction,
  nextNonce,
} from "@fieldmesh/ledger-client";
import type { RunningSandbox } from "@fieldmesh/sandbox";
import { chapter, say, show } from "./terminal.ts";

/** Walks through the ledger of a sandbox. */
export async function tourLedger(sandbox: RunningSandbox, number: number): Promise<void> {
  const client = createLedgerClient({ baseUrl: sandbox.ledger.baseUrl });
  const address = sandbox.ledger.state.chain.addresses.of(0);

  chapter(`${number}. The ledger: lists that are longer than an answer`);
  say(`It answers at ${sandbox.ledger.baseUrl}, needs no key, and has a million blocks.`);
  const account = await show("client.accounts.get({ address })", () =>
    client.accounts.get({ address }),
  );
  say(`That balance is ${formatBones(account.balance ?? 0n)} tokens, beyond 2^53 and not rounded.`);
  say(`The nonce of its next payment is ${nextNonce(account)}.`);

  const blocks = await show("client.blocks.list().toArray({ limit: 150 })", () =>
    client.blocks.list().toArray({ limit: 150 }),
  );
  const [newest] = blocks;
  const transactions = client.blocks.transactions({ height: newest!.height });
  const types = new Map<string, number>();
  for await (const transaction of transactions) {
    const known = isKnownTransaction(transaction) ? "known" : "open";
    const name = `${transaction.type} (${known})`;
    types.set(name, (types.get(name) ?? 0) + 1);
  }
  for (const [name, count] of types) console.log(`  ${String(count).padStart(3)} × ${name}`);

  say("A walk can be stopped anywhere, and gone on with in another process:");
  const rewards = { address, min_time: ago(1, "day") };
  const walk = client.accounts.rewards(rewards).walk();
  for (let count = 0; count < 100; count++) await walk.next();
  await walk.return();
  const checkpoint = await show("walk.checkpoint()", async () => walk.checkpoint());
  const rest = client.accounts.rewards(rewards, { checkpoint });
  const left = await rest.toArray({ limit: Infinity });
  console.log(`  100 rewards before the stop, ${left.length} after it, none twice`);
  say("fieldmesh ledger export rewards writes them all to a file, and survives being killed.");
}
