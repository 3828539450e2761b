import { mkdir, rm, truncate } from "node:fs/promises";
import { join } from "node:path";
import { CallError, type LedgerClient } from "@fieldmesh/ledger-client";
import { type Lock, shellWord } from "@fieldmesh/sandbox/internal";
import type { Context } from "../../context.ts";
import { CliError } from "../../exit-codes.ts";
import { locked } from "../../locked.ts";
import { fileProblem } from "../export/file-problem.ts";
import { filesOf, loadState, readItems } from "../export/journal.ts";
import { lists } from "../export/lists.ts";
import { tellRepeated } from "../export/tell-repeated.ts";
import { beginExport, checkWhole, readList } from "../export/read-list.ts";
import { resolveTimes } from "../export/times.ts";
import type { FolderInput } from "./folder-request.ts";
import {
  addLine,
  manifestOf,
  isSameRequest,
  readManifests,
  totalOf,
  type Manifest,
  type ManifestEntry,
  type ManifestHead,
} from "./manifest.ts";
import { writePartitions } from "./write-partitions.ts";

/** Exports a list to a folder of Parquet files. A killed run is resumed by the same command: complete accounts are not read again. */
export async function exportToFolder(context: Context, input: FolderInput): Promise<void> {
  const { folder, shard } = input;
  try {
    await mkdir(folder, { recursive: true });
    const file = manifestOf(folder, shard);
    await locked(context, file, (held, lock) => exportShard(held, input, file, lock));
  } catch (error) {
    const isStopped = context.signal.aborted && (error as Error).name === "AbortError";
    if (isStopped || error instanceof CallError)
      context.output.note("What was read is kept: run the same command again to resume.");
    if (!isStopped) throw fileProblem(error, folder) ?? error;
  }
}

async function exportShard(
  context: Context,
  input: FolderInput,
  file: string,
  lock: Lock,
): Promise<void> {
  const { owners } = input;
  const { head, entries } = await openManifest(file, input);
  const done = [...entries];
  const left = owners.filter((owner) => !entries.some((each) => each.owner === (owner ?? null)));
  if (entries.length > 0 && left.length > 0)
    context.output.note(`Resuming after ${entries.length} accounts.`);
  const client = await context.client("ledger");
  const bar = context.output.progress("accounts", owners.length);
  try {
    for (const owner of left) {
      bar.update(done.length, { rows: totalOf(done).rows });
      done.push(await exportOwner(context, client, input, owner, { head, file, lock }));
    }
  } finally {
    bar.end();
  }
  await report(context, input, done);
}

/** Opens the manifest of the shard. Throws a CliError if the folder belongs to another export. */
async function openManifest(
  file: string,
  { request, folder, shard, owners }: FolderInput,
): Promise<Pick<Manifest, "head" | "entries">> {
  const manifests = await readManifests(folder);
  const other = manifests.find(({ head }) => !isSameRequest(head.request, request));
  if (other !== undefined)
    throw new CliError(
      `${other.file} belongs to another export: other times, accounts or shards, or another --distinct. Choose another --out.`,
    );
  const own = manifests.find((each) => each.file === file);
  if (own !== undefined) {
    await truncate(file, own.length);
    return own;
  }
  const head: ManifestHead = {
    version: 1,
    request,
    shard,
    times: resolveTimes(request.minTime, request.maxTime, Date.now()),
    owners: owners.map((owner) => owner ?? null),
  };
  await addLine(file, head);
  return { head, entries: [] };
}

/** Reads the list of an account, writes its files, and adds them to the manifest. */
async function exportOwner(
  context: Context,
  client: LedgerClient,
  { request, folder, lanes }: FolderInput,
  owner: string | undefined,
  { head, file, lock }: { head: ManifestHead; file: string; lock: Lock },
): Promise<ManifestEntry> {
  const { list, partition, distinct } = request;
  const { min, max } = head.times;
  const files = filesOf(join(folder, `.${owner ?? list}`));
  const asked = { list, account: owner, minTime: min, maxTime: max, distinct };
  const found = await loadState(files, lock);
  const begun = found ?? (await beginExport(client, asked, context.signal));
  const state = begun.isRead
    ? begun
    : await readList(withoutBar(context), client, files, begun, { lanes, lock });
  const batches = readItems(files, state, {
    signal: context.signal,
    update: () => lock.check(),
  });
  const prefix = owner === undefined ? "" : `account=${owner}`;
  const { columns } = state;
  lock.check();
  const written = await writePartitions({ folder, prefix, list, partition, columns }, batches);
  const { repeated } = state;
  const entry = { owner: owner ?? null, ...totalOf(written), repeated, files: written };
  lock.check();
  await addLine(file, entry);
  await rm(files.partial, { force: true });
  await rm(files.state, { force: true });
  checkWhole(folder, state);
  return entry;
}

/** One bar shows all accounts. */
function withoutBar(context: Context): Context {
  const progress = () => ({ update: () => undefined, end: () => undefined });
  return { ...context, output: { ...context.output, note: () => undefined, progress } };
}

async function report(
  { output }: Context,
  { folder, request, shard, owners }: FolderInput,
  entries: readonly ManifestEntry[],
): Promise<void> {
  const files = entries.reduce((total, entry) => total + entry.files.length, 0);
  const { rows, sum } = totalOf(entries);
  const repeated = entries.reduce((total, entry) => total + entry.repeated, 0);
  const { list } = request;
  if (output.isJson)
    await output.record({
      list,
      shard,
      accounts: owners.length,
      files,
      rows,
      sum,
      repeated,
      folder,
    });
  else {
    const of = shard.of === 1 ? "" : `Shard ${shard.index} of ${shard.of}: `;
    const accounts = list === "blocks" ? "" : ` of ${owners.length} accounts`;
    await output.line(
      `${of}${rows} ${lists[list].noun}${accounts} are in ${files} files in ${folder}.${tellRepeated({ repeated }, request)} Check them with: fieldmesh ledger verify ${shellWord(folder)}`,
    );
  }
}
