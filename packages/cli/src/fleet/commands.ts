import type { Command, Option } from "../command.ts";

const settleTime: Option = {
  name: "settle-time",
  value: "seconds",
  description:
    "how long after a broken request the console shows what it has done; more than its device list lags (default: 5)",
};
const passphraseFile: Option = {
  name: "passphrase-file",
  value: "file",
  description:
    "read the passphrase from the first line of a file; else from FIELDMESH_PASSPHRASE, or as it is typed",
};
const map: Option = {
  name: "map",
  value: "column=field",
  description: 'say what a column holds, such as "Serial=dev_eui"; usual names are recognized',
  repeatable: true,
};
const createLabels: Option = {
  name: "create-labels",
  description: "create labels that are missing",
};

/** Which devices a command changes. */
const selection: readonly Option[] = [
  {
    name: "file",
    value: "file",
    description: "devices whose EUIs are in this file: one in a line, or CSV",
  },
  { name: "label", value: "name", description: "all devices of this label" },
  map,
  settleTime,
];
const KEPT = "It leaves out devices that are so already: after an interruption, run it again.";

const deviceCommands: readonly Command[] = [
  {
    path: "devices import",
    summary: "create the devices of a CSV file",
    description:
      "Recognizes the columns that ChirpStack, The Things Stack and vendors such as Milesight and Dragino write. Rows that are not imported are written beside the file, with what is wrong with each and with their keys. After a kill or Ctrl-C, the same command resumes.",
    arguments: [{ name: "file", description: "a CSV file with a header" }],
    options: [
      map,
      { name: "app-eui", value: "eui", description: "the app_eui of devices whose row has none" },
      {
        name: "label",
        value: "name",
        description: "add each device to this label too",
        repeatable: true,
      },
      createLabels,
      {
        name: "if-exists",
        value: "what",
        choices: ["skip"],
        description: "skip leaves out devices that are in the console with the same EUIs and key",
      },
      settleTime,
    ],
    examples: [
      {
        line: "devices import inventory.csv --if-exists skip",
        does: "creates the devices that are missing",
      },
      {
        line: 'devices import order.csv --map "Serial=name" --label Pumps',
        does: "names devices by another column, and labels them",
      },
    ],
    writes: true,
    load: () => import("./import-devices.ts"),
  },
  {
    path: "devices export",
    summary: "write the devices as CSV or NDJSON",
    description: "Keys are written with --reveal or --encrypt only. The file has the mode 0600.",
    options: [
      { name: "out", value: "file", description: "the file to write, instead of stdout" },
      {
        name: "format",
        value: "format",
        choices: ["csv", "ndjson"],
        description: "default: by the name of the file, or csv",
      },
      { name: "label", value: "name", description: "only the devices of this label" },
      { name: "encrypt", description: "encrypt the file with a passphrase (age), keys included" },
      passphraseFile,
    ],
    examples: [
      { line: "devices export --out devices.csv", does: "writes a table without keys" },
      {
        line: "devices export --out devices.csv.age --encrypt",
        does: "writes it with keys, encrypted",
      },
    ],
    load: () => import("./export-devices.ts"),
  },
  {
    path: "devices label",
    summary: "add many devices to a label",
    description: KEPT,
    arguments: [{ name: "name", description: "the label to add" }],
    options: [...selection, createLabels],
    examples: [
      { line: "devices label Winter --file euis.txt", does: "labels the devices of a list" },
      { line: "devices label Winter --label Pumps", does: "labels all devices of another label" },
    ],
    load: async () => ({ run: (await import("./change-devices.ts")).runLabel }),
  },
  {
    path: "devices unlabel",
    summary: "remove many devices from a label",
    description: KEPT,
    arguments: [{ name: "name", description: "the label to remove" }],
    options: selection,
    examples: [
      { line: "devices unlabel Winter --label Winter", does: "empties a label" },
      { line: "devices unlabel Winter --file euis.txt", does: "removes the devices of a list" },
    ],
    load: async () => ({ run: (await import("./change-devices.ts")).runUnlabel }),
  },
  {
    path: "devices activate",
    summary: "activate many devices",
    description: KEPT,
    options: selection,
    examples: [
      { line: "devices activate --label Pumps", does: "activates all devices of a label" },
      { line: "devices activate --file euis.txt", does: "activates the devices of a list" },
    ],
    load: async () => ({ run: (await import("./change-devices.ts")).runActivate }),
  },
  {
    path: "devices deactivate",
    summary: "deactivate many devices",
    description: KEPT,
    options: selection,
    examples: [
      { line: "devices deactivate --label Spares", does: "deactivates all devices of a label" },
      {
        line: "devices deactivate --file euis.txt --yes",
        does: "deactivates the devices of a list without a question",
      },
    ],
    load: async () => ({ run: (await import("./change-devices.ts")).runDeactivate }),
  },
  {
    path: "devices delete",
    summary: "delete many devices",
    description:
      "It asks first. Devices of the file that are not in the console are counted, and are no error: after an interruption, run it again.",
    options: selection,
    examples: [
      { line: "devices delete --file euis.txt", does: "deletes the devices of a list" },
      {
        line: "devices delete --label Scrapped --yes",
        does: "deletes all devices of a label without a question",
      },
    ],
    load: async () => ({ run: (await import("./change-devices.ts")).runDelete }),
  },
];

const fleetFile = { name: "file", description: "an export of a fleet, such as fleet.age" };
const mapping: Option = {
  name: "mapping",
  value: "file",
  description:
    "JSON with what the export cannot know: credentials of integrations, ids of config profiles and functions",
};

const moveCommands: readonly Command[] = [
  {
    path: "fleet export",
    summary: "write devices with keys, labels, integrations and flows into one file",
    description:
      "The file is encrypted with a passphrase, in the format of age, and has the mode 0600. Credentials of integrations are not in it, because the console does not show them again.",
    arguments: [{ name: "file", description: "the file to write, such as fleet.age" }],
    options: [
      {
        name: "clear",
        description: "do not encrypt the file, which holds the key of every device",
      },
      passphraseFile,
    ],
    examples: [
      { line: "fleet export fleet.age", does: "asks for a passphrase and writes the fleet" },
      {
        line: "fleet export fleet.age --passphrase-file secret.txt",
        does: "runs without a terminal",
      },
    ],
    load: async () => ({ run: (await import("./move-fleet.ts")).runExport }),
  },
  {
    path: "fleet plan",
    summary: "show what an apply would do to a console",
    description:
      "+ is created, ~ is changed, ! is left to you because no call can do it, ? is a question to the mapping file. Nothing is ever deleted.",
    arguments: [fleetFile],
    options: [
      mapping,
      {
        name: "write-mapping",
        value: "file",
        description: "write the open questions into a new mapping file",
      },
      passphraseFile,
    ],
    examples: [
      { line: "fleet plan fleet.age", does: "shows the differences" },
      {
        line: "fleet plan fleet.age --write-mapping mapping.json",
        does: "writes a mapping file to fill in",
      },
    ],
    load: async () => ({ run: (await import("./move-fleet.ts")).runPlan }),
  },
  {
    path: "fleet apply",
    summary: "make a console like an exported fleet",
    description:
      "Things are matched by name and EUI. On a terminal it shows the plan and asks first. After a kill or Ctrl-C the same command resumes; a second one sends no write.",
    arguments: [fleetFile],
    options: [mapping, settleTime, passphraseFile],
    examples: [
      {
        line: "fleet apply fleet.age --profile new-console",
        does: "moves the fleet into the console of a profile",
      },
      { line: "fleet apply fleet.age --mapping mapping.json --yes", does: "does not ask" },
    ],
    load: async () => ({ run: (await import("./move-fleet.ts")).runApply }),
  },
  {
    path: "fleet verify",
    summary: "check that a console is like an exported fleet",
    description:
      "The exit code is 4 where something differs. What the console holds beside the fleet is no difference.",
    arguments: [fleetFile],
    options: [mapping, passphraseFile],
    examples: [
      { line: "fleet verify fleet.age", does: "prints the differences" },
      {
        line: "fleet verify fleet.age --mapping mapping.json --json",
        does: "prints them for a script",
      },
    ],
    load: async () => ({ run: (await import("./move-fleet.ts")).runVerify }),
  },
  {
    path: "fleet convert",
    summary: "write an exported fleet in the form of another network server",
    description:
      "For ChirpStack v4 the file has the bodies of the calls that create each device and its keys, one in a line; for The Things Stack it has the end device JSON that its Console imports. It is encrypted unless --clear.",
    arguments: [fleetFile],
    options: [
      {
        name: "target",
        value: "server",
        choices: ["chirpstack", "things-stack"],
        required: true,
        description: "the network server",
      },
      { name: "out", value: "file", required: true, description: "the file to write" },
      {
        name: "mapping",
        value: "file",
        description:
          "JSON with the device profile, or LoRaWAN versions, frequency plan and Join Server",
      },
      {
        name: "clear",
        description: "do not encrypt the file, which holds the key of every device",
      },
      passphraseFile,
    ],
    examples: [
      {
        line: "fleet convert fleet.age --target things-stack --mapping stack.json --out devices.json --clear",
        does: "writes a file for the import of The Things Stack",
      },
      {
        line: "fleet convert fleet.age --target chirpstack --mapping chirpstack.json --out calls.age",
        does: "writes the calls for ChirpStack, encrypted",
      },
    ],
    load: () => import("./convert-fleet.ts"),
  },
];

export const fleetCommands: readonly Command[] = [...deviceCommands, ...moveCommands];
