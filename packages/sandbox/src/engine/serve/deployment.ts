import { oneOf } from "@fieldmesh/core/internal";

/** Which server a service plays: the one of the published spec, or a hosted deployment (observed). */
export type Deployment = "spec" | "hosted";

export const aDeployment = /* @__PURE__ */ oneOf("spec", "hosted");

/** The switches of a service as the published spec has them, and as a hosted deployment does. */
export type Presets<Switches extends object> = Readonly<Record<Deployment, Switches>>;

/** Returns each switch as it was passed, or as the preset has it. */
export function switchesOf<Switches extends object>(
  presets: Presets<Switches>,
  options: { readonly deployment?: Deployment | undefined } & {
    readonly [Name in keyof Switches]?: Switches[Name] | undefined;
  },
): Switches {
  const preset = presets[options.deployment ?? "spec"];
  const names = Object.keys(preset) as (keyof Switches)[];
  return Object.fromEntries(names.map((name) => [name, options[name] ?? preset[name]])) as Switches;
}
