import type { Input } from "../command.ts";
import type { Context } from "../context.ts";
import { CliError } from "../exit-codes.ts";
import { encrypt } from "./files/encrypted-file.ts";
import { readNewPassphrase } from "./files/passphrase.ts";
import { checkNewFile, writePrivateFile } from "./files/private-file.ts";
import { loadFleet } from "./move/fleet-file.ts";
import { nameOf, type Fleet, type FleetDevice } from "./move/fleet.ts";
import { argument, textOption } from "./options.ts";
import { chirpstack } from "./targets/chirpstack.ts";
import type { Target } from "./targets/target.ts";
import { readTargetMapping, type SettingsOf } from "./targets/target-mapping.ts";
import { thingsStack } from "./targets/things-stack.ts";

const TARGETS: Readonly<Record<string, Target>> = { chirpstack, "things-stack": thingsStack };

export async function run(context: Context, input: Input): Promise<void> {
  const { output } = context;
  const fleet = await loadFleet(context, input, argument(input, 0));
  const target = TARGETS[textOption(input, "target") ?? ""];
  const file = textOption(input, "out");
  if (target === undefined || file === undefined)
    throw new CliError("Name the network server with --target, and the file to write with --out.");
  checkNewFile(file, "--out");
  const settingsOf = await readTargetMapping(textOption(input, "mapping"));
  const { devices, problems } = convertible(fleet, target);
  for (const problem of problems) output.note(`! ${problem}`);
  checkSettings(devices, target, settingsOf);
  const objects = devices.flatMap((device) => target.write(device, settingsOf(device)));
  const content = objects.map((object) => `${JSON.stringify(object)}\n`).join("");
  if (input.options["clear"] === true) {
    await writePrivateFile(file, content);
    output.note(
      `${file} holds the keys of ${devices.length} devices in clear: delete it when they are imported.`,
    );
  } else {
    await writePrivateFile(file, await encrypt(content, await readNewPassphrase(context, input)));
  }
  await output.record({
    file,
    devices: devices.length,
    left_out: fleet.devices.length - devices.length,
  });
}

interface Convertible {
  readonly devices: readonly FleetDevice[];
  /** What is lost or left out. */
  readonly problems: readonly string[];
}

function convertible(fleet: Fleet, target: Target): Convertible {
  const problems: string[] = [];
  const euis = new Set<string>();
  const devices = fleet.devices.filter((device) => {
    const dev_eui = device.dev_eui.toUpperCase();
    const problem = euis.has(dev_eui)
      ? "another device of the file has its dev_eui"
      : formProblem(device);
    if (problem === undefined) euis.add(dev_eui);
    else problems.push(`device ${nameOf(device)} is left out: ${problem}`);
    return problem === undefined;
  });
  for (const device of devices) {
    const lost = target.loses(device);
    if (lost !== undefined) problems.push(`device ${nameOf(device)}: ${lost}`);
  }
  const { integrations, flows } = fleet;
  if (integrations.length > 0)
    problems.push(
      `${integrations.length} integrations and ${flows.length} flows do not move: create them there`,
    );
  return { devices, problems };
}

function formProblem({ dev_eui, app_eui, app_key }: FleetDevice): string | undefined {
  if (!/^[0-9a-f]{16}$/i.test(dev_eui)) return "its dev_eui has not 16 hexadecimal digits";
  if (!/^[0-9a-f]{16}$/i.test(app_eui)) return "its app_eui has not 16 hexadecimal digits";
  return /^[0-9a-f]{32}$/i.test(app_key.reveal())
    ? undefined
    : "its app_key has not 32 hexadecimal digits";
}

function checkSettings(
  devices: readonly FleetDevice[],
  { required }: Target,
  settingsOf: SettingsOf,
): void {
  for (const name of required) {
    const lacking = devices.filter((device) => settingsOf(device)[name] === undefined);
    const [first] = lacking;
    if (first === undefined) continue;
    throw new CliError(
      `${lacking.length} devices have no ${name}, such as ${nameOf(first)}. Add it to "devices", or to a label in "labels", of the mapping file.`,
    );
  }
}
