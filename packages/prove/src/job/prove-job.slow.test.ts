import { expect, test } from "vitest";
import { ProofError } from "../proof-error.ts";
import { proveJob } from "./prove-job.ts";
import { correctJobs } from "./testing/correct-jobs.ts";
import { fleet } from "./testing/parts.ts";
import { plantedJobs } from "./testing/planted-jobs.ts";

for (const [name, job] of Object.entries(plantedJobs))
  test(`finds a job that ${name}`, async () => {
    const proof = proveJob(job, { devices: fleet, seed: 1, runs: 0 });
    await expect(proof).rejects.toBeInstanceOf(ProofError);
  });

// A 429 costs a second of real time, so the release tier tries every job, and pairs of faults.
const QUICK = /awaited|list|place/;
for (const [name, job] of Object.entries(correctJobs).filter(([each]) => QUICK.test(each)))
  test(`finds nothing wrong with ${name}`, async () => {
    await proveJob(job, { devices: fleet, seed: 1, runs: 0 });
  });
