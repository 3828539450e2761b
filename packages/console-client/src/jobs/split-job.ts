import {
  decryptText,
  deriveIdKey,
  encryptText,
  isIterable,
  isRecord,
  isUuid,
  makeId,
  memberOf,
  parseJson,
  stringifyJson,
  mistake,
  newestKey,
  options,
  readKeys,
  wholeNumber,
  readInput,
} from "@fieldmesh/core/internal";
import type { NewDevice } from "../device.ts";
import type { DeviceJob, JobKey, JobManifest } from "./job-types.ts";

/** Options of {@link splitJob}. */
export interface SplitJobOptions {
  /** Devices in a job, from 1 to 100,000. */
  size: number;
  /** Encrypts the devices, and makes the ids. All workers need it. Of a list, the first one is used, as in `openJob`. */
  key: JobKey | readonly JobKey[];
}

/** The jobs of an import. Each loop reads the source again, so a source that can be read once has one loop. */
export interface JobSplit extends AsyncIterable<DeviceJob> {
  /** Returns the manifest of the last loop that has reached the end. Throws a TypeError before that. */
  manifest(): JobManifest;
}

const readOptions = /* @__PURE__ */ options<SplitJobOptions>("splitJob", {
  size: { required: /* @__PURE__ */ wholeNumber(1, 100_000) },
  key: { required: readKeys },
});

/**
 * Splits any source of devices into jobs for a queue. Nothing is checked: `createMany` reports each invalid device in its job.
 *
 * The same source, size and key give the same ids, so that a queue drops a job that it has already. A changed device changes the
 * id of its job. An inserted one changes the ids of all later jobs too.
 *
 * @throws A TypeError for invalid options
 * @example
 * ```ts
 * const split = splitJob(devices, { size: 1_000, key });
 * for await (const job of split) await queue.add("import", job, { jobId: job.id });
 * await save(split.manifest());
 * ```
 */
export function splitJob(
  source: Iterable<NewDevice> | AsyncIterable<NewDevice>,
  given: SplitJobOptions,
): JobSplit {
  const { size, key } = readOptions(given);
  if (!readInput("The source of splitJob", () => isIterable(source)))
    throw mistake("splitJob requires an array of devices, or another (async) iterable.");
  let manifest: JobManifest | undefined;

  async function* jobs(): AsyncGenerator<DeviceJob, void, undefined> {
    const idKey = await deriveIdKey(newestKey(key), "fieldmesh ids of jobs");
    const made: Pick<DeviceJob, "id" | "count">[] = [];
    const close = async (devices: readonly string[]): Promise<DeviceJob> => {
      const text = `[${devices.join(",")}]`;
      // With its place, two jobs with equal devices have two ids.
      const id = await makeId(idKey, `${made.length} ${text}`);
      const count = devices.length;
      made.push({ id, count });
      // With the id, so that the payload of one job cannot replace that of another.
      return { version: 1, id, count, payload: await encryptText(key, id, text) };
    };
    let devices: string[] = [];
    for await (const device of source) {
      devices.push(write(device));
      if (devices.length < size) continue;
      yield await close(devices);
      devices = [];
    }
    if (devices.length > 0) yield await close(devices);
    const count = made.reduce((sum, job) => sum + job.count, 0);
    manifest = { version: 1, jobs: made, count };
  }

  return {
    [Symbol.asyncIterator]: jobs,
    manifest() {
      if (manifest === undefined)
        throw mistake("manifest requires all jobs: call it after a loop over the split.");
      return manifest;
    },
  };
}

/**
 * Returns the devices of a job, for `createMany`. To rotate the key, pass a list with the newest first to the workers, then to
 * `splitJob`, and remove the old one when its jobs are gone.
 *
 * @throws A TypeError for anything but a job, and an Error for a job that was encrypted with another key. Neither shows a device
 * @example
 * ```ts
 * const report = await client.devices.createMany(await openJob(job, key), { lease: { id: job.id, store } });
 * ```
 */
export async function openJob(
  job: DeviceJob,
  key: JobKey | readonly JobKey[],
): Promise<NewDevice[]> {
  readInput("The key of openJob", () => readKeys(key, "key", "openJob"));
  const [version, id, payload] = ["version", "id", "payload"].map((name) => memberOf(job, name));
  if (version !== 1 || typeof id !== "string" || typeof payload !== "string")
    throw mistake("openJob requires a job of splitJob, as it was put into the queue.");
  const text = await decryptText(key, id, payload).catch(() => {
    throw new Error(
      `The job ${isUuid(id) ? id : "of another form"} cannot be decrypted. Check that the key is the one of splitJob, and that the job was not changed.`,
    );
  });
  return parseJson(text) as NewDevice[];
}

/** Writes a device with sorted fields, because a source may change their order. */
function write(device: unknown): string {
  const sorted = isRecord(device)
    ? Object.fromEntries(Object.entries(device).sort(([a], [b]) => (a < b ? -1 : 1)))
    : (device ?? null);
  return stringifyJson(sorted, { reveal: true });
}
