import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { installConsumer } from "../tools/tarballs/consumer.ts";
import type { Place } from "./places.ts";
import type { Finding } from "./setting.ts";

/** Runs places, each in a folder of its own. An error of a place that is not a finding of it becomes one. */
export function openWorkshop() {
  const folder = mkdtempSync(join(tmpdir(), "fieldmesh-places-"));
  let consumer: Promise<string> | undefined;
  return {
    async run({ name, run }: Place): Promise<Finding[]> {
      try {
        const own = mkdtempSync(join(folder, `${name.replaceAll(/\W/g, "-")}-`));
        return await run(own, () => (consumer ??= installConsumer([])));
      } catch (error) {
        return [{ title: name, error: String(error) }];
      }
    },
    async close(): Promise<void> {
      for (const each of [folder, await consumer])
        if (each !== undefined) rmSync(each, { recursive: true, force: true, maxRetries: 5 });
    },
  };
}
