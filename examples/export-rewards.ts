// Exports the rewards of an account to NDJSON: node examples/export-rewards.ts <address> rewards.ndjson [days]
//
// LEDGER_URL says where. Stop or kill it at any moment and start it again: the file then has every reward exactly once.
import { open, rm, truncate, writeFile } from "node:fs/promises";
import {
  ago,
  createLedgerClient,
  formatBones,
  stringifyJson,
  type Checkpoint,
} from "@fieldmesh/ledger-client";
import { loadState, saveState } from "./state.ts";
import { progressBar } from "./terminal.ts";

const DEFAULT_DAYS = 30;
const DAY = 86_400_000;
/** Between two checkpoints: what a kill makes the next run fetch again. */
const ITEMS_A_CHECKPOINT = 500;

const { LEDGER_URL } = process.env;
const [address, ndjson, days = DEFAULT_DAYS] = process.argv.slice(2);
if (LEDGER_URL === undefined || address === undefined || ndjson === undefined) {
  console.error(
    "usage: LEDGER_URL=… node examples/export-rewards.ts <address> rewards.ndjson [days]",
  );
  process.exit(2);
}
await exportRewards(LEDGER_URL, address, ndjson);

/** What a run leaves for the next one. The time stands in it, because "30 days ago" is another query tomorrow. */
interface State {
  readonly max_time: string;
  readonly bones: string;
  /** The length of the file with exactly the items of the checkpoint; what is behind it is cut off. */
  readonly length: number;
  readonly checkpoint?: Checkpoint;
}

async function exportRewards(baseUrl: string, account: string, target: string): Promise<void> {
  const client = createLedgerClient({ baseUrl });
  const stateFile = `${target}.state.json`;
  const found = await loadState<State>(stateFile);
  if (found !== undefined) console.log("Going on where the last run stopped.");
  const state = found ?? (await start(stateFile, target));
  await truncate(target, state.length);

  const { max_time, checkpoint } = state;
  const last = (await client.blocks.height({ max_time })).height;
  const { height: first } = await client.blocks.height({
    max_time: new Date(new Date(max_time).getTime() - Number(days) * DAY),
  });
  const bar = progressBar(last - first);
  const walk = client.accounts
    .rewards(
      { address: account, min_time: ago(Number(days), "day"), max_time },
      { checkpoint, onCursorExpired: "restart" },
    )
    .walk();

  const output = await open(target, "a");
  let { length } = state;
  let bones = BigInt(state.bones);
  let lines: string[] = [];
  let items = state.checkpoint?.items ?? 0;
  const save = async (): Promise<void> => {
    const text = Buffer.from(lines.join(""));
    lines = [];
    await output.appendFile(text);
    // First the items, then the checkpoint that says they are there.
    await output.sync();
    length += text.length;
    await saveState(stateFile, {
      max_time,
      bones: String(bones),
      length,
      checkpoint: walk.checkpoint(),
    } satisfies State);
  };

  for await (const reward of walk) {
    lines.push(`${stringifyJson(reward)}\n`);
    bones += reward.amount ?? 0n;
    items++;
    if (lines.length < ITEMS_A_CHECKPOINT) continue;
    await save();
    bar(last - (reward.block ?? first));
  }
  await save();
  bar(last - first);
  await output.close();
  await rm(stateFile);
  console.log(`${items} rewards, ${formatBones(bones)} tokens, in ${target}`);
}

async function start(stateFile: string, target: string): Promise<State> {
  await writeFile(target, "");
  const state = { max_time: new Date().toISOString(), bones: "0", length: 0 };
  await saveState(stateFile, state);
  return state;
}
