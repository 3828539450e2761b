import type { Argument, Command } from "../command.ts";

const name: Argument = { name: "name", description: "the name of the profile" };

/** Commands for profiles, for checking the setup, and for shell completion. */
export const settingsCommands: readonly Command[] = [
  {
    path: "profile set",
    summary: "Store the address and key of a service in a profile",
    description:
      "It asks for the key on a terminal, or reads it from stdin; an empty line keeps the stored key. Only your user can read the file that holds the profiles. Unless you pass --profile, these environment variables take precedence over a profile: FIELDMESH_SANDBOX, then CONSOLE_URL, CONSOLE_KEY, LEDGER_URL, MAPPER_URL, MOBILE_URL and MOBILE_KEY.",
    arguments: [
      name,
      {
        name: "service",
        description: "the service",
        choices: ["console", "ledger", "mapper", "mobile"],
      },
    ],
    options: [
      { name: "url", value: "address", description: "the address of the service" },
      { name: "key-stdin", description: "read the key from stdin" },
    ],
    examples: [
      {
        line: "profile set plant console --url https://console.example.com",
        does: "Set an address, and ask for the key",
      },
      {
        line: "profile set plant console --key-stdin < key.txt",
        does: "Replace the key with the one in a file",
      },
    ],
    load: async () => ({ run: (await import("./change-profiles.ts")).runSet }),
  },
  {
    path: "profile list",
    summary: "List the profiles, without their keys",
    examples: [
      { line: "profile list", does: "Show the addresses, and which services have a key" },
      { line: "profile list --json", does: "Print them as NDJSON" },
    ],
    load: async () => ({ run: (await import("./change-profiles.ts")).runList }),
  },
  {
    path: "profile use",
    summary: "Choose the default profile",
    description: "--profile and FIELDMESH_PROFILE select another one.",
    arguments: [name],
    examples: [
      { line: "profile use plant", does: "Use the profile from now on" },
      { line: "console labels list --profile plant", does: "Use it for one command" },
    ],
    load: async () => ({ run: (await import("./change-profiles.ts")).runUse }),
  },
  {
    path: "profile remove",
    summary: "Remove a profile with its keys",
    arguments: [name],
    examples: [
      { line: "profile remove plant", does: "Ask for confirmation, then remove the profile" },
      { line: "profile remove plant --yes", does: "Remove it without asking" },
    ],
    writes: true,
    load: async () => ({ run: (await import("./change-profiles.ts")).runRemove }),
  },
  {
    path: "doctor",
    summary: "Check addresses, keys, the clock and versions",
    description:
      "Sends one harmless request to each service that has an address. Exits with 1 if a check failed.",
    examples: [
      { line: "doctor", does: "Check all services, one line for each check" },
      { line: "doctor --profile plant", does: "Check a profile" },
    ],
    load: () => import("./doctor.ts"),
  },
  {
    path: "completion",
    summary: "Print a script that completes commands in your shell",
    arguments: [{ name: "shell", description: "the shell", choices: ["bash", "zsh", "fish"] }],
    examples: [
      { line: "completion bash >> ~/.bashrc", does: "Add completion to every new bash session" },
      {
        line: "completion fish > ~/.config/fish/completions/fieldmesh.fish",
        does: "Add completion to fish",
      },
    ],
    load: () => import("./completion.ts"),
  },
];
