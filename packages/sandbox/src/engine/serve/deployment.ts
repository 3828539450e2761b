import { describeValue, isRecord, mistake } from "@fieldmesh/core/internal";

/** Which server a service plays: the one of the published spec, or a hosted deployment (observed). */
export type Deployment = "spec" | "hosted";

/** The switches of a service as the published spec has them, and as a hosted deployment does. */
export type Presets<Switches extends object> = Readonly<Record<Deployment, Switches>>;

/** Returns each switch as it was passed, or as the preset has it. Throws a TypeError for an unknown deployment. */
export function switchesOf<Switches extends object>(
  service: string,
  presets: Presets<Switches>,
  options: { readonly deployment?: Deployment | undefined } & {
    readonly [Name in keyof Switches]?: Switches[Name] | undefined;
  },
): Switches {
  const { deployment = "spec" } = options;
  // The switches were once in it.
  if (isRecord(deployment))
    throw mistake(
      `${service}.deployment has no option "${Object.keys(deployment)[0]}": pass it to ${service}.`,
    );
  if (!Object.hasOwn(presets, deployment))
    throw mistake(
      `${service}.deployment must be "spec" or "hosted", not ${describeValue(deployment)}.`,
    );
  const preset = presets[deployment];
  const names = Object.keys(preset) as (keyof Switches)[];
  return Object.fromEntries(names.map((name) => [name, options[name] ?? preset[name]])) as Switches;
}
