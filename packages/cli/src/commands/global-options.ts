import type { Option } from "../command.ts";

/** The options that every command has. */
export const globalOptions: readonly Option[] = [
  {
    name: "json",
    description: "print JSON: one object, or one per line for a list; errors too, on stderr",
  },
  { name: "quiet", description: "print only results and errors" },
  { name: "reveal", description: "show secrets and personal data" },
  { name: "yes", description: "write without asking for confirmation" },
  {
    name: "no-observed-rules",
    description: "send an input that breaks only a rule of running deployments (observed)",
  },
  { name: "profile", value: "name", description: "use the addresses and keys of this profile" },
  {
    name: "sandbox",
    description:
      "use a sandbox that runs only for this command; to use one that keeps running, set FIELDMESH_SANDBOX",
  },
];

export interface Globals {
  readonly json?: boolean;
  readonly quiet?: boolean;
  readonly reveal?: boolean;
  readonly yes?: boolean;
  /** `false` with `--no-observed-rules`. */
  readonly observedRules?: boolean;
  readonly profile?: string;
  readonly sandbox?: boolean;
}
