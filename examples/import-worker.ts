// A worker: creates the devices of jobs until it is stopped. Start any number of them, on any machine:
//
//   CONSOLE_URL=… CONSOLE_KEY=… QUEUE_URL=… JOB_KEY=… node examples/import-worker.ts
import {
  openJob,
  reportOfJob,
  type DeviceJob,
  type JobKey,
  type NewDevice,
} from "@fieldmesh/console-client";
import { FinalError, type WorkerReport } from "./workers/engine.ts";
import { openSettings } from "./workers/settings.ts";

/** The problems that a report names, so that it stays small. Its numbers count all of them. */
const MAX_PROBLEMS = 100;

const stop = new AbortController();
for (const signal of ["SIGINT", "SIGTERM"] as const) process.once(signal, () => stop.abort());

try {
  const { client, engine, key, lease } = await openSettings();
  const handle = async (job: DeviceJob): Promise<WorkerReport> => {
    const report = await client.devices.createMany(await open(job, key), {
      lease: { id: job.id, store: engine.leases, duration: lease },
      // The next owner of the job waits for twice as long after a kill.
      timeout: lease / 2,
      signal: stop.signal,
    });
    const { failed, unknown } = report.results;
    const problems = [...failed, ...unknown].slice(0, MAX_PROBLEMS);
    return {
      ...reportOfJob(job, report),
      problems: problems.map(({ index, error }) => ({ index, error })),
    };
  };
  try {
    await engine.work(handle, stop.signal);
  } finally {
    await engine.close();
  }
} catch (error) {
  console.error((error as Error).message);
  process.exitCode = 1;
}

async function open(job: DeviceJob, key: JobKey): Promise<NewDevice[]> {
  try {
    return await openJob(job, key);
  } catch (error) {
    // With this key, no other attempt opens it.
    throw new FinalError((error as Error).message);
  }
}
