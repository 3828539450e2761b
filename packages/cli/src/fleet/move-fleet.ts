import { readAgain } from "@fieldmesh/http/internal";
import { type Lock, shellWord } from "@fieldmesh/sandbox/internal";
import type { Input } from "../command.ts";
import type { Context } from "../context.ts";
import { confirm } from "../confirm.ts";
import { CliError, exitCodes } from "../exit-codes.ts";
import { checkNewFile, checkReadable, writePrivateFile } from "../files/user-file.ts";
import { noteKeys, type Write, writeNewFile } from "./files/new-file.ts";
import { readNewPassphrase } from "./files/passphrase.ts";
import { applyFleet } from "./move/apply.ts";
import { openApplyState } from "./move/apply-state.ts";
import { loadFleet } from "./move/fleet.ts";
import { mappingTemplate, readMapping } from "./move/mapping.ts";
import { makePlan } from "./move/make-plan.ts";
import { linesOf, printPlan } from "./move/print-plan.ts";
import { readAround, readConsole, writeSnapshot } from "./move/snapshot.ts";
import { countOf } from "./plan/count-of.ts";
import {
  checkSame,
  headText,
  printResult,
  progressOf,
  sumOf,
  type PlanHead,
} from "./plan/plan-lines.ts";
import { argument, settleTimeOf, textOption } from "./options.ts";
import { eachDevice } from "./runs/read-devices.ts";
import { oneRun } from "./runs/one-run.ts";
import { resumable } from "./runs/resumable.ts";

export async function runExport(context: Context, input: Input): Promise<void> {
  const file = argument(input, 0);
  await writeNewFile(context, file, "the argument", (held, write) => exportTo(held, input, write));
}

async function exportTo(context: Context, input: Input, write: Write): Promise<void> {
  const { output, signal } = context;
  const client = await context.client("console");
  const file = argument(input, 0);
  const isClear = input.options["clear"] === true;
  // Asks before it reads the console, which is slow for a large fleet.
  if (isClear) noteKeys(context, file);
  const passphrase = isClear ? undefined : await readNewPassphrase(context, input);
  const around = await readAround(client, signal);
  const { organization, labels, integrations } = around;
  let written = { devices: 0, flows: 0 };
  const writeAll = (): Promise<void> =>
    write(
      writeSnapshot(around, eachDevice(client, signal), (numbers) => (written = numbers)),
      passphrase,
    );
  await readAgain(writeAll, signal);
  const { devices, flows } = written;
  const named = { labels: labels.length, integrations: integrations.length };
  await output.record({ file, organization, devices, ...named, flows });
}

export async function runPlan(context: Context, input: Input): Promise<void> {
  if (leaves(input)) return await (await import("./leave-fleet.ts")).planLeaving(context, input);
  const template = textOption(input, "writeMapping");
  if (template !== undefined) checkNewFile(template, "--write-mapping");
  const { head, plan } = await compare(context, input);
  await printPlan(context, head, plan);
  if (template === undefined) return;
  writePrivateFile(template, mappingTemplate(plan.open));
  context.output.note(
    plan.open.length === 0
      ? `${template} has nothing to fill in.`
      : `Fill in ${template}, and pass it with --mapping.`,
  );
}

export async function runVerify(context: Context, input: Input): Promise<void> {
  if (leaves(input)) return await (await import("./leave-fleet.ts")).verifyLeaving(context, input);
  const { head, plan } = await compare(context, input);
  await printPlan(context, head, plan);
  checkSame(head, linesOf(plan), argument(input, 0));
}

export async function runApply(context: Context, input: Input): Promise<void> {
  const file = argument(input, 0);
  const apply = leaves(input) ? (await import("./leave-fleet.ts")).applyLeaving : applyTo;
  await checkReadable(file);
  await oneRun(context, [file], "an apply writes its state and its lock", (held, lock) =>
    apply(held, input, lock),
  );
}

async function applyTo(context: Context, input: Input, lock: Lock): Promise<void> {
  const { output, prompt, yes } = context;
  const file = argument(input, 0);
  const state = await openApplyState(context, `${file}.apply.json`, lock);
  const { fleet, mapping, snapshot, head, plan } = await compare(context, input);
  const [open] = plan.open;
  if (open !== undefined)
    throw new CliError(
      `${plan.open.length} questions are open, such as ${open.kind} ${JSON.stringify(open.key)}. Run fieldmesh fleet plan ${shellWord(file)} --write-mapping mapping.json, fill it in, and run this command again with --mapping mapping.json.`,
    );
  const { create, change } = sumOf(linesOf(plan));
  if (create + change === 0) {
    lock.check();
    state.remove();
    await printResult(context, head, progressOf(linesOf(plan), linesOf(plan)));
    return;
  }
  if (!yes && prompt.isTerminal) {
    await printPlan(context, head, plan);
    await confirm(
      context,
      `Apply to the console at ${head.address} (${JSON.stringify(head.organization)})?`,
    );
  } else output.note(headText(head));
  const client = await context.client("console");
  const settleTime = settleTimeOf(input);
  const rest = await resumable(context, () =>
    applyFleet({ context, client, fleet, mapping, state, settleTime }, snapshot),
  );
  lock.check();
  state.remove();
  const progress = progressOf(linesOf(plan), linesOf(rest));
  await printResult(context, head, progress);
  if (progress.left > 0)
    throw new CliError(
      `${countOf(progress.left, "change")} could not be made. Run fieldmesh fleet plan ${shellWord(file)} to see them, and apply again.`,
      exitCodes.failed,
    );
}

/** Tells whether the target is another network server instead of a console. */
function leaves(input: Input): boolean {
  if (textOption(input, "target") !== undefined) return true;
  for (const name of ["url", "keyFile"])
    if (textOption(input, name) !== undefined)
      throw new CliError(
        "--url and --key-file are for another network server: add --target, or leave them out.",
      );
  return false;
}

async function compare(context: Context, input: Input) {
  const fleet = await loadFleet(context, input, argument(input, 0));
  const mapping = await readMapping(textOption(input, "mapping"), fleet, context.observedRules);
  const client = await context.client("console");
  const snapshot = await readConsole(client, context.signal);
  const { organization } = snapshot;
  const address = await context.address("console");
  const head: PlanHead = { target: "console", title: "The console", address, organization };
  return { fleet, mapping, snapshot, head, plan: makePlan(fleet, snapshot, mapping) };
}
