import type { Input } from "../command.ts";
import type { Context } from "../context.ts";
import { CliError } from "../exit-codes.ts";
import { encrypt } from "./files/encrypted-file.ts";
import { readNewPassphrase } from "./files/passphrase.ts";
import { checkNewFile, writePrivateFile } from "../files/user-file.ts";
import { loadFleet } from "./move/fleet.ts";
import { countOf } from "./count-of.ts";
import { argument, textOption } from "./options.ts";
import { textOf, withSign } from "./plan-lines.ts";
import { convertible } from "./targets/convertible.ts";
import { readTargetMapping } from "./targets/target-mapping.ts";
import { lackingSettings } from "./targets/lacking-settings.ts";
import { targetOf } from "./targets/targets.ts";

export async function run(context: Context, input: Input): Promise<void> {
  const { output } = context;
  const fleet = await loadFleet(context, input, argument(input, 0));
  const { target } = targetOf(textOption(input, "target"));
  const file = textOption(input, "out") ?? "";
  checkNewFile(file, "--out");
  const settingsOf = await readTargetMapping(textOption(input, "mapping"), target.applicationId);
  const { devices, leftOut, lost } = convertible(fleet, target);
  for (const line of [...withSign("!", leftOut), ...withSign("x", lost)])
    output.note(`${line.sign} ${textOf(line)}`);
  const wanted = devices.map((device) => ({ device, settings: settingsOf(device) }));
  const [lacking] = lackingSettings(wanted, target.required);
  if (lacking !== undefined) throw new CliError(`The mapping file lacks ${textOf(lacking)}.`);
  const objects = wanted.flatMap<object>(({ device, settings }) => target.write(device, settings));
  const content = objects.map((object) => `${JSON.stringify(object)}\n`).join("");
  if (input.options["clear"] === true) {
    writePrivateFile(file, content);
    output.note(
      `${file} holds the keys of ${countOf(devices.length, "device")} unencrypted. Delete it after the import.`,
    );
  } else {
    writePrivateFile(file, await encrypt(content, await readNewPassphrase(context, input)));
  }
  await output.record({
    file,
    devices: devices.length,
    left_out: fleet.devices.length - devices.length,
  });
}
