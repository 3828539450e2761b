import type { Command, Option } from "../command.ts";
import { passphraseFile, settleTime } from "./common-options.ts";

const map: Option = {
  name: "map",
  value: "column=field",
  description: 'Say what a column holds, such as "Serial=dev_eui"; usual names are recognized',
  repeatable: true,
};
const createLabels: Option = {
  name: "create-labels",
  description: "Create labels that are missing",
};

/** Which devices a command changes. */
const selection: readonly Option[] = [
  {
    name: "file",
    value: "file",
    description: "Devices whose EUIs are in this file: one in a line, or CSV",
  },
  { name: "label", value: "name", description: "All devices of this label" },
  map,
  settleTime,
];
const KEPT = "It leaves out devices that are so already: after an interruption, run it again.";

export const deviceCommands: readonly Command[] = [
  {
    path: "devices import",
    summary: "Create the devices of a CSV file",
    description:
      "Recognizes the columns that ChirpStack, The Things Stack and vendors such as Milesight and Dragino write. Rows that are not imported are written beside the file, with what is wrong with each and with their keys. After a kill or Ctrl-C, the same command resumes.",
    arguments: [{ name: "file", description: "A CSV file with a header" }],
    options: [
      map,
      { name: "app-eui", value: "eui", description: "The app_eui of devices whose row has none" },
      {
        name: "label",
        value: "name",
        description: "Add each new device to this label too",
        repeatable: true,
      },
      createLabels,
      {
        name: "if-exists",
        value: "what",
        choices: ["skip"],
        description: "Skip leaves out devices that are in the console with the same EUIs and key",
      },
      settleTime,
    ],
    examples: [
      {
        line: "devices import inventory.csv --if-exists skip",
        does: "Create the devices that are missing",
      },
      {
        line: 'devices import order.csv --map "Serial=name" --label Pumps',
        does: "Name devices by another column, and label them",
      },
    ],
    writes: true,
    writesTo: "console",
    load: () => import("./import-devices.ts"),
  },
  {
    path: "devices export",
    summary: "Write the devices as CSV or NDJSON",
    description: "Keys are written with --reveal or --encrypt only. The file has the mode 0600.",
    options: [
      { name: "out", value: "file", description: "The file to write, instead of stdout" },
      {
        name: "format",
        value: "format",
        choices: ["csv", "ndjson"],
        description: "Default: by the name of the file, or csv",
      },
      { name: "label", value: "name", description: "Only the devices of this label" },
      { name: "encrypt", description: "Encrypt the file with a passphrase (age), keys included" },
      passphraseFile,
    ],
    examples: [
      { line: "devices export --out devices.csv", does: "Write a table without keys" },
      {
        line: "devices export --out devices.csv.age --encrypt",
        does: "Write it with keys, encrypted",
      },
    ],
    load: () => import("./export-devices.ts"),
  },
  {
    path: "devices label",
    summary: "Add many devices to a label",
    description: KEPT,
    arguments: [{ name: "name", description: "The label to add" }],
    options: [...selection, createLabels],
    examples: [
      { line: "devices label Winter --file euis.txt", does: "Label the devices of a list" },
      { line: "devices label Winter --label Pumps", does: "Label all devices of another label" },
    ],
    writesTo: "console",
    load: async () => ({ run: (await import("./change-devices.ts")).runLabel }),
  },
  {
    path: "devices unlabel",
    summary: "Remove many devices from a label",
    description: KEPT,
    arguments: [{ name: "name", description: "The label to remove" }],
    options: selection,
    examples: [
      { line: "devices unlabel Winter --label Winter", does: "Empty a label" },
      { line: "devices unlabel Winter --file euis.txt", does: "Remove the devices of a list" },
    ],
    writesTo: "console",
    load: async () => ({ run: (await import("./change-devices.ts")).runUnlabel }),
  },
  {
    path: "devices activate",
    summary: "Activate many devices",
    description: KEPT,
    options: selection,
    examples: [
      { line: "devices activate --label Pumps", does: "Activate all devices of a label" },
      { line: "devices activate --file euis.txt", does: "Activate the devices of a list" },
    ],
    writesTo: "console",
    load: async () => ({ run: (await import("./change-devices.ts")).runActivate }),
  },
  {
    path: "devices deactivate",
    summary: "Deactivate many devices",
    description: KEPT,
    options: selection,
    examples: [
      { line: "devices deactivate --label Spares", does: "Deactivate all devices of a label" },
      {
        line: "devices deactivate --file euis.txt --yes",
        does: "Deactivate the devices of a list without a question",
      },
    ],
    writesTo: "console",
    load: async () => ({ run: (await import("./change-devices.ts")).runDeactivate }),
  },
  {
    path: "devices delete",
    summary: "Delete many devices",
    description:
      "It asks first. Devices of the file that are not in the console are counted, and are no error: after an interruption, run it again.",
    options: selection,
    examples: [
      { line: "devices delete --file euis.txt", does: "Delete the devices of a list" },
      {
        line: "devices delete --label Scrapped --yes",
        does: "Delete all devices of a label without a question",
      },
    ],
    writesTo: "console",
    needsYes: true,
    load: async () => ({ run: (await import("./change-devices.ts")).runDelete }),
  },
];
