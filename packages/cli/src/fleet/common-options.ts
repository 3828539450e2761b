import type { Option } from "../command.ts";

export const settleTime: Option = {
  name: "settle-time",
  value: "seconds",
  description:
    "How long after a broken request the console shows what it has done; more than its device list lags (default: 5)",
};
export const passphraseFile: Option = {
  name: "passphrase-file",
  value: "file",
  description:
    "Read the passphrase from the first line of a file; else from FIELDMESH_PASSPHRASE, or as it is typed",
};
/** Another network server instead of a console. */
export const targetOptions: readonly Option[] = [
  {
    name: "target",
    value: "server",
    choices: ["chirpstack", "things-stack"],
    description: "A network server instead of a console",
  },
  {
    name: "url",
    value: "address",
    description:
      "Address of the network server; else CHIRPSTACK_URL with CHIRPSTACK_KEY, or THINGS_STACK_URL with THINGS_STACK_KEY",
  },
  {
    name: "key-file",
    value: "file",
    description: "Read the API key of the network server from a file; else it is asked for",
  },
];
