import { test } from "vitest";
import { proveJob } from "./prove-job.ts";
import { correctJobs } from "./testing/correct-jobs.ts";
import { fleet } from "./testing/parts.ts";

for (const [name, job] of Object.entries(correctJobs))
  test(`finds nothing wrong with ${name}, under 200 pairs of faults`, async () => {
    await proveJob(job, { devices: fleet, seed: 1 });
  });
