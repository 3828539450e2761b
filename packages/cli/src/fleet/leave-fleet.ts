import type { Lock } from "@fieldmesh/sandbox/internal";
import type { Input } from "../command.ts";
import type { Context } from "../context.ts";
import { confirm } from "../confirm.ts";
import { CliError, exitCodes } from "../exit-codes.ts";
import { inLanes } from "./runs/in-lanes.ts";
import { checkNewFile, writePrivateFile } from "../files/user-file.ts";
import { resumable } from "./runs/resumable.ts";
import { countOf } from "./plan/count-of.ts";
import { loadFleet, nameOf } from "./move/fleet.ts";
import { argument, textOption } from "./options.ts";
import {
  checkSame,
  headText,
  printLines,
  printResult,
  progressOf,
  sumOf,
  textOf,
  type PlanHead,
} from "./plan/plan-lines.ts";
import { makeLeavePlan, type LeavePlan, type Leaving } from "./targets/leave-plan.ts";
import { openTarget } from "./open-target.ts";
import { readTargetMapping, targetTemplate } from "./targets/target-mapping.ts";
import { RejectedError } from "./targets/target-server.ts";
import { targetOf } from "./targets/targets.ts";

const SHOWN_FAILURES = 20;

/** Shows what an apply would do to another network server. */
export async function planLeaving(context: Context, input: Input): Promise<void> {
  const template = textOption(input, "writeMapping");
  if (template !== undefined) checkNewFile(template, "--write-mapping");
  await withPlan(context, input, async ({ head, plan, leaving }) => {
    await printLines(context, head, plan.lines);
    if (template === undefined) return;
    writePrivateFile(template, targetTemplate(leaving.networkServer.required));
    context.output.note(`Fill in ${template}, and pass it with --mapping.`);
  });
}

/** Checks that another network server has the fleet. What it cannot store does not count. */
export async function verifyLeaving(context: Context, input: Input): Promise<void> {
  await withPlan(context, input, async ({ head, plan }) => {
    await printLines(context, head, plan.lines);
    checkSame(head, plan.lines, argument(input, 0));
  });
}

/** Creates what another network server lacks. The server shows what is done, so another run resumes. */
export async function applyLeaving(context: Context, input: Input, lock: Lock): Promise<void> {
  const { output, prompt, yes } = context;
  await withPlan(context, input, async ({ head, plan, leaving }) => {
    const open = plan.lines.find(({ sign }) => sign === "?");
    if (open !== undefined)
      throw new CliError(
        `The mapping file needs another entry: ${textOf(open)}. Run "fieldmesh fleet plan" to see all missing entries.`,
      );
    let rest = plan;
    if (plan.devices.length > 0) {
      if (!yes && prompt.isTerminal) {
        await printLines(context, head, plan.lines);
        await confirm(context, `Apply to ${headText(head)}?`);
      } else output.note(headText(head));
      rest = await resumable(context, async () => {
        await makeChanges(context, plan, lock);
        return await makeLeavePlan(context, leaving);
      });
    }
    const { lost } = sumOf(rest.lines);
    await printResult(context, head, { ...progressOf(plan.lines, rest.lines), lost });
    if (rest.devices.length > 0)
      throw new CliError(
        `${countOf(rest.devices.length, "device")} could not be changed to match ${argument(input, 0)}. Apply again, or run "fieldmesh fleet plan" with the same options to see them.`,
        exitCodes.failed,
      );
  });
}

async function withPlan(
  context: Context,
  input: Input,
  use: (planned: { head: PlanHead; plan: LeavePlan; leaving: Leaving }) => Promise<void>,
): Promise<void> {
  const target = textOption(input, "target") ?? "";
  const networkServer = targetOf(target);
  const fleet = await loadFleet(context, input, argument(input, 0));
  const settingsOf = await readTargetMapping(
    textOption(input, "mapping"),
    networkServer.target.applicationId,
  );
  const { server, address } = await openTarget(context, input, networkServer);
  try {
    const leaving = { networkServer, server, fleet, settingsOf };
    const plan = await resumable(context, () => makeLeavePlan(context, leaving));
    await use({ head: { target, title: networkServer.title, address }, plan, leaving });
  } finally {
    server.close();
  }
}

/** Writes the devices. A device that the server rejects does not stop the others. */
async function makeChanges(
  { output, signal }: Context,
  { devices }: LeavePlan,
  lock: Lock,
): Promise<void> {
  const bar = output.progress("Writing devices", devices.length);
  let written = 0;
  let failed = 0;
  try {
    await inLanes(devices, async ({ device, changes }) => {
      try {
        for (const { make } of changes) {
          signal.throwIfAborted();
          lock.check();
          await make();
        }
      } catch (error) {
        if (!(error instanceof RejectedError)) throw error;
        if (++failed <= SHOWN_FAILURES) output.note(`device ${nameOf(device)}: ${error.message}`);
      }
      bar.update(++written, { failed });
    });
  } finally {
    bar.end();
  }
  if (failed > SHOWN_FAILURES) output.note(`and ${failed - SHOWN_FAILURES} more`);
}
