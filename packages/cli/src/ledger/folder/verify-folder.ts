import { readdir, stat } from "node:fs/promises";
import { join } from "node:path";
import { shownPath } from "@fieldmesh/sandbox/internal";
import type { Run } from "../../command.ts";
import { type Output, printFirst } from "../../output/output.ts";
import { CliError, exitCodes } from "../../exit-codes.ts";
import {
  isSameRequest,
  type Manifest,
  type ManifestFile,
  manifestOf,
  readManifests,
  totalOf,
} from "./manifest.ts";
import { sha256Of } from "./write-partitions.ts";

/** Compares the files of a folder with the manifests of all shards. */
export const run: Run = async ({ output, signal }, { arguments: [folder = ""] }) => {
  const manifests = await open(folder);
  const files = manifests.flatMap(({ entries }) => entries.flatMap((entry) => entry.files));
  const problems = [
    ...whatIsMissing(folder, manifests),
    ...whatIsDoubled(manifests),
    ...(await whatIsForeign(folder, files)),
    ...(await whatHasChanged(folder, files, output, signal)),
  ];
  const { rows, sum } = totalOf(files);
  if (output.isJson)
    await output.record({ folder, files: files.length, rows, sum, problems: [...problems] });
  else {
    await printFirst((line) => output.line(line), problems, "more; --json prints all.");
    if (problems.length === 0)
      await output.line(
        `${folder} is complete: ${files.length} files with ${rows} rows, sum ${sum}.`,
      );
  }
  if (problems.length > 0)
    throw new CliError(
      `${folder} differs from its manifests in ${problems.length} places. Delete the manifest of each shard that has one, and export that shard again.`,
      exitCodes.different,
    );
};

async function open(folder: string): Promise<Manifest[]> {
  const isFolder = await stat(folder).then(
    (found) => found.isDirectory(),
    () => false,
  );
  if (!isFolder)
    throw new CliError(
      `${shownPath(folder, "The argument")} is not a folder. Name the --out of an export.`,
    );
  const manifests = await readManifests(folder);
  if (manifests.length === 0)
    throw new CliError(
      `${folder} has no manifest, such as manifest-1-of-1.ndjson. Name the --out of an export with --partition.`,
    );
  return manifests;
}

/** Returns the shards without a manifest, and the accounts that are not complete. */
function whatIsMissing(folder: string, manifests: readonly Manifest[]): string[] {
  const shards = Math.max(...manifests.map(({ head }) => head.shard.of));
  const found = new Set(manifests.map(({ file }) => file));
  const missing = Array.from({ length: shards }, (_, index) => ({ index: index + 1, of: shards }))
    .filter((shard) => !found.has(manifestOf(folder, shard)))
    .map(({ index, of }) => `shard ${index}/${of} is missing`);
  const unfinished = manifests.flatMap(({ head, entries }) => {
    const complete = new Set(entries.map(({ owner }) => owner));
    return head.owners
      .filter((owner) => !complete.has(owner))
      .map((owner) => `${owner ?? head.request.list} is not complete`);
  });
  return [...missing, ...unfinished];
}

/** Returns the files that two entries name, and the manifests that do not belong together. */
function whatIsDoubled(manifests: readonly Manifest[]): string[] {
  const paths = manifests.flatMap(({ entries }) =>
    entries.flatMap(({ files }) => files.map(({ path }) => path)),
  );
  const seen = new Set<string>();
  const doubled = paths.filter((path) => seen.size === seen.add(path).size);
  const [first, ...others] = manifests;
  const foreign = others.filter(
    ({ head }) => first !== undefined && !isSameRequest(head.request, first.head.request),
  );
  return [
    ...doubled.map((path) => `${path} is in two manifests`),
    ...foreign.map(({ file }) => `${file} belongs to another export`),
  ];
}

async function whatIsForeign(folder: string, files: readonly ManifestFile[]): Promise<string[]> {
  const known = new Set(files.map(({ path }) => path));
  const names = await readdir(folder, { recursive: true });
  return names
    .map((name) => name.replaceAll("\\", "/"))
    .filter((name) => name.endsWith(".parquet") && !known.has(name))
    .toSorted()
    .map((name) => `${name} is in no manifest`);
}

async function whatHasChanged(
  folder: string,
  files: readonly ManifestFile[],
  output: Output,
  signal: AbortSignal,
): Promise<string[]> {
  const problems: string[] = [];
  const bar = output.progress("files", files.length);
  try {
    for (const [index, { path, sha256 }] of files.entries()) {
      signal.throwIfAborted();
      const found = await sha256Of(join(folder, path)).catch(() => undefined);
      if (found === undefined) problems.push(`${path} is missing`);
      else if (found !== sha256) problems.push(`${path} has changed`);
      bar.update(index + 1);
    }
  } finally {
    bar.end();
  }
  return problems;
}
