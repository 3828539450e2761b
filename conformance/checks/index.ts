import type { Check, Finding, Setting } from "../setting.ts";
import { consoleChecks } from "./console.ts";
import { engineChecks } from "./engine.ts";
import { rowChecks } from "./rows.ts";
import { walkChecks } from "./walk.ts";
import { webhookChecks } from "./webhooks.ts";

const checks: readonly Check[] = [
  ...rowChecks,
  ...walkChecks,
  ...consoleChecks,
  ...webhookChecks,
  ...engineChecks,
];

/** Runs every check, one after the other. */
export async function conform(setting: Setting): Promise<Finding[]> {
  const findings: Finding[] = [];
  for (const { title, run } of checks) {
    try {
      await run(setting);
      findings.push({ title });
    } catch (error) {
      findings.push({ title, error: String(error) });
    }
  }
  return findings;
}
