import type { Command, Option } from "../command.ts";
import { passphraseFile, settleTime } from "./common-options.ts";

const map: Option = {
  name: "map",
  value: "column=field",
  description:
    'name the field that a column holds, such as "Serial=dev_eui", or "4=dev_eui" for the fourth one; usual column names are recognized',
  repeatable: true,
};
const euis: Option = {
  name: "euis",
  value: "how",
  choices: ["reversed", "as-written"],
  description:
    "decide about EUIs that look damaged: reversed puts the bytes of those into order that end with the prefix of a vendor; as-written keeps these, and those that look rounded or misplaced",
};
const createLabels: Option = {
  name: "create-labels",
  description: "create missing labels",
};

/** Options that select the devices to change. */
const selection: readonly Option[] = [
  {
    name: "file",
    value: "file",
    description: "the devices whose EUIs are in this file, one per line, or as CSV or JSON",
  },
  { name: "label", value: "name", description: "all devices with this label" },
  map,
  euis,
  settleTime,
];
/** What the commands that change devices share. */
const changing = {
  description: "It skips devices that need no change. After an interruption, run it again.",
  options: selection,
  calls: "console",
  needsYes: true,
} as const;

export const deviceCommands: readonly Command[] = [
  {
    path: "devices import",
    summary: "Create the devices of a CSV or JSON file",
    description:
      "Recognizes the columns and fields that ChirpStack, The Things Stack and vendors such as Milesight and Dragino write. The header may be below a title or comments. A missing label stops the import before it writes. Rows with problems are left out, and written to a CSV file next to it, with their keys and all their problems. The file is read twice, and the command needs about 1 KB of memory for each row. After a kill or Ctrl-C, the same command resumes.",
    arguments: [
      { name: "file", description: "a CSV file with a header, JSON or NDJSON, or - for stdin" },
    ],
    options: [
      map,
      euis,
      { name: "app-eui", value: "eui", description: "the app_eui for rows without one" },
      {
        name: "label",
        value: "name",
        description: "also add each new device to this label",
        repeatable: true,
      },
      createLabels,
      { name: "strict", description: "import nothing if a row has a problem" },
      {
        name: "if-exists",
        value: "what",
        choices: ["skip"],
        description:
          "skip: leave out devices that the console already has with the same EUIs and key",
      },
      settleTime,
    ],
    examples: [
      {
        line: "devices import inventory.csv --if-exists skip",
        does: "Create the missing devices",
      },
      {
        line: 'devices import order.csv --map "Serial=name" --label Pumps',
        does: "Read the names from another column, and add a label",
      },
    ],
    calls: "console",
    needsYes: true,
    startsEmpty: true,
    load: () => import("./import-devices.ts"),
  },
  {
    path: "devices export",
    summary: "Write the devices as CSV or NDJSON",
    description: "Keys are written only with --reveal or --encrypt. The file has mode 0600.",
    options: [
      { name: "out", value: "file", description: "the file to write, instead of stdout" },
      {
        name: "format",
        value: "format",
        choices: ["csv", "ndjson"],
        description: "the format (default: from the name of the file, or csv)",
      },
      { name: "label", value: "name", description: "only the devices with this label" },
      { name: "encrypt", description: "encrypt the file with a passphrase (age), keys included" },
      passphraseFile,
    ],
    examples: [
      { line: "devices export --out devices.csv", does: "Write a CSV file without keys" },
      {
        line: "devices export --out devices.csv.age --encrypt",
        does: "Write it with keys, encrypted",
      },
    ],
    calls: "console",
    load: () => import("./export-devices.ts"),
  },
  {
    path: "devices follow",
    summary: "Print the events of a device as they come",
    description:
      "Prints the last events first, at most 100, and then new ones until Ctrl-C. The console keeps no more than the last 100: a note says when events may be lost in between. During an outage, it says so, and retries for an hour.",
    arguments: [
      {
        name: "device",
        description: "the id of the device, or its dev_eui",
        aliases: ["device-id", "id", "dev-eui"],
      },
    ],
    options: [
      {
        name: "from",
        value: "when",
        choices: ["previous", "now"],
        description: "now: leave out the last events (default: previous)",
      },
    ],
    examples: [
      { line: "devices follow 0004A30B00689DAB", does: "Print a line for each event" },
      {
        line: "devices follow 0004A30B00689DAB --from now --json",
        does: "Print each new event as a line of JSON",
      },
    ],
    calls: "console",
    load: () => import("./follow-device.ts"),
  },
  {
    ...changing,
    path: "devices label",
    summary: "Add many devices to a label",
    arguments: [{ name: "name", description: "the label to add" }],
    options: [...selection, createLabels],
    examples: [
      { line: "devices label Winter --file euis.txt", does: "Label the devices in a list" },
      {
        line: "devices label Winter --label Pumps",
        does: "Label all devices that have another label",
      },
    ],
    load: async () => ({ run: (await import("./change-devices.ts")).runLabel }),
  },
  {
    ...changing,
    path: "devices unlabel",
    summary: "Remove many devices from a label",
    arguments: [{ name: "name", description: "the label to remove" }],
    examples: [
      {
        line: "devices unlabel Winter --label Winter",
        does: "Remove a label from all its devices",
      },
      {
        line: "devices unlabel Winter --file euis.txt",
        does: "Remove it from the devices in a list",
      },
    ],
    load: async () => ({ run: (await import("./change-devices.ts")).runUnlabel }),
  },
  {
    ...changing,
    path: "devices activate",
    summary: "Activate many devices",
    examples: [
      { line: "devices activate --label Pumps", does: "Activate all devices with a label" },
      { line: "devices activate --file euis.txt", does: "Activate the devices in a list" },
    ],
    load: async () => ({ run: (await import("./change-devices.ts")).runActivate }),
  },
  {
    ...changing,
    path: "devices deactivate",
    summary: "Deactivate many devices",
    examples: [
      { line: "devices deactivate --label Spares", does: "Deactivate all devices with a label" },
      {
        line: "devices deactivate --file euis.txt --yes",
        does: "Deactivate the devices in a list without asking",
      },
    ],
    load: async () => ({ run: (await import("./change-devices.ts")).runDeactivate }),
  },
  {
    ...changing,
    path: "devices delete",
    summary: "Delete many devices",
    description:
      "It asks first. Devices in the file that are not in the console are counted, but are not an error. An EUI that cannot be one, or that several devices share, is. After an interruption, run it again.",
    examples: [
      { line: "devices delete --file euis.txt", does: "Delete the devices in a list" },
      {
        line: "devices delete --label Scrapped --yes",
        does: "Delete all devices with a label without asking",
      },
    ],
    load: async () => ({ run: (await import("./change-devices.ts")).runDelete }),
  },
];
