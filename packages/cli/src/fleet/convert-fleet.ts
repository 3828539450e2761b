import type { Input } from "../command.ts";
import type { Context } from "../context.ts";
import { CliError } from "../exit-codes.ts";
import { noteKeys, type Write, writeNewFile } from "./files/new-file.ts";
import { readNewPassphrase } from "./files/passphrase.ts";
import { loadFleet } from "./move/fleet.ts";
import { argument, textOption } from "./options.ts";
import { textOf, withSign } from "./plan/plan-lines.ts";
import { convertible } from "./targets/convertible.ts";
import { readTargetMapping } from "./targets/target-mapping.ts";
import { lackingSettings } from "./targets/lacking-settings.ts";
import type { Target } from "./targets/target.ts";
import type { Wanted } from "./targets/target-server.ts";
import { targetOf } from "./targets/targets.ts";

export async function run(context: Context, input: Input): Promise<void> {
  await writeNewFile(context, textOption(input, "out") ?? "", "--out", (held, write) =>
    convert(held, input, write),
  );
}

async function convert(context: Context, input: Input, write: Write): Promise<void> {
  const { output } = context;
  const fleet = await loadFleet(context, input, argument(input, 0));
  const { target } = targetOf(textOption(input, "target"));
  const file = textOption(input, "out") ?? "";
  const settingsOf = await readTargetMapping(textOption(input, "mapping"), target.applicationId);
  const { devices, leftOut, lost } = convertible(fleet, target);
  for (const line of [...withSign("!", leftOut), ...withSign("x", lost)])
    output.note(`${line.sign} ${textOf(line)}`);
  const wanted = devices.map((device) => ({ device, settings: settingsOf(device) }));
  const [lacking] = lackingSettings(wanted, target.required);
  if (lacking !== undefined) throw new CliError(`The mapping file lacks ${textOf(lacking)}.`);
  const isClear = input.options["clear"] === true;
  if (isClear) noteKeys(context, file);
  const passphrase = isClear ? undefined : await readNewPassphrase(context, input);
  await write(linesOf(wanted, target), passphrase);
  await output.record({
    file,
    devices: devices.length,
    left_out: fleet.devices.length - devices.length,
  });
}

function* linesOf(wanted: readonly Wanted[], target: Target): Generator<string> {
  for (const { device, settings } of wanted)
    for (const object of target.write(device, settings)) yield `${JSON.stringify(object)}\n`;
}
