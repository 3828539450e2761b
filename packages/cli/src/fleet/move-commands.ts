import type { Command, Input, Option } from "../command.ts";
import { passphraseFile, settleTime, target, targetOptions } from "./common-options.ts";

const fleetFile = { name: "file", description: "an exported fleet, such as fleet.age" };
const MEMORY =
  " It compares in memory, and needs 200 MB and about 1.5 KB for each device. If Node runs out of memory, raise its limit, such as NODE_OPTIONS=--max-old-space-size=8192.";
const mapping: Option = {
  name: "mapping",
  value: "file",
  description:
    "a JSON file with what the export does not have: credentials of integrations, ids of config profiles and functions; for another network server, the device profile, versions and frequency plan",
};

const clear: Option = {
  name: "clear",
  description: "do not encrypt the file, which holds the key of every device",
};

/** Another network server says where it is when it is opened. */
const consoleUnlessTarget = ({ options }: Input) =>
  options["target"] === undefined ? "console" : undefined;

export const moveCommands: readonly Command[] = [
  {
    path: "fleet export",
    summary: "Write devices with their keys, labels, integrations and flows to one file",
    description:
      "The file is encrypted with a passphrase, in the format of age, and has mode 0600. It does not contain the credentials of integrations, because the console shows these only once.",
    arguments: [{ name: "file", description: "the file to write, such as fleet.age" }],
    options: [clear, passphraseFile],
    examples: [
      { line: "fleet export fleet.age", does: "Ask for a passphrase and write the fleet" },
      {
        line: "fleet export fleet.age --passphrase-file secret.txt",
        does: "Run without a terminal",
      },
    ],
    calls: "console",
    load: async () => ({ run: (await import("./move-fleet.ts")).runExport }),
  },
  {
    path: "fleet plan",
    summary: "Show what an apply would do to a console or another network server",
    description:
      "Signs: + will be created; ~ will be changed; ! is left to you, because no call can do it; ? needs an entry in the mapping file; x cannot be stored by the other network server. Nothing is ever deleted." +
      MEMORY,
    arguments: [fleetFile],
    options: [
      mapping,
      { name: "write-mapping", value: "file", description: "write a new mapping file to fill in" },
      passphraseFile,
      ...targetOptions,
    ],
    examples: [
      { line: "fleet plan fleet.age", does: "Show the differences" },
      {
        line: "fleet plan fleet.age --write-mapping mapping.json",
        does: "Write a mapping file to fill in",
      },
      {
        line: "fleet plan fleet.age --target chirpstack --mapping targets.json",
        does: "Show what ChirpStack lacks, and what it cannot store",
      },
    ],
    calls: consoleUnlessTarget,
    load: async () => ({ run: (await import("./move-fleet.ts")).runPlan }),
  },
  {
    path: "fleet apply",
    summary: "Make a console or another network server match an exported fleet",
    description:
      "It matches records by name and EUI. On a terminal, it shows the plan and asks first. After a kill or Ctrl-C, the same command resumes. Once everything is applied, running it again writes nothing." +
      MEMORY,
    arguments: [fleetFile],
    options: [mapping, settleTime, passphraseFile, ...targetOptions],
    examples: [
      {
        line: "fleet apply fleet.age --profile new-console",
        does: "Move the fleet into the console of a profile",
      },
      { line: "fleet apply fleet.age --mapping mapping.json --yes", does: "Apply without asking" },
    ],
    needsYes: true,
    calls: consoleUnlessTarget,
    load: async () => ({ run: (await import("./move-fleet.ts")).runApply }),
  },
  {
    path: "fleet verify",
    summary: "Check that a console or another network server matches an exported fleet",
    description:
      "The exit code is 4 if something differs. Anything that only the console has is not a difference." +
      MEMORY,
    arguments: [fleetFile],
    options: [mapping, passphraseFile, ...targetOptions],
    examples: [
      { line: "fleet verify fleet.age", does: "Print the differences" },
      {
        line: "fleet verify fleet.age --mapping mapping.json --json",
        does: "Print them for a script",
      },
    ],
    calls: consoleUnlessTarget,
    load: async () => ({ run: (await import("./move-fleet.ts")).runVerify }),
  },
  {
    path: "fleet convert",
    summary: "Convert an exported fleet to the format of another network server",
    description:
      "For ChirpStack v4, the file has the bodies of the calls that create each device and its keys, one per line. For The Things Stack, it has the end device JSON that its Console imports. It is encrypted unless you add --clear.",
    arguments: [fleetFile],
    options: [
      { ...target, required: true, description: "the network server" },
      { name: "out", value: "file", required: true, description: "the file to write" },
      {
        name: "mapping",
        value: "file",
        description:
          "a JSON file with the device profile, or with the LoRaWAN versions, frequency plan and Join Server",
      },
      clear,
      passphraseFile,
    ],
    examples: [
      {
        line: "fleet convert fleet.age --target things-stack --mapping stack.json --out devices.json --clear",
        does: "Write a file for the import of The Things Stack",
      },
      {
        line: "fleet convert fleet.age --target chirpstack --mapping chirpstack.json --out calls.age",
        does: "Write the calls for ChirpStack, encrypted",
      },
    ],
    load: () => import("./convert-fleet.ts"),
  },
];
