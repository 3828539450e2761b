import type { Option } from "../command.ts";

export const settleTime: Option = {
  name: "settle-time",
  value: "seconds",
  description:
    "the wait before the device list is read after a broken request; set it above the time by which the list lags (default: 5)",
};
export const passphraseFile: Option = {
  name: "passphrase-file",
  value: "file",
  description:
    "read the passphrase from the first line of a file (default: FIELDMESH_PASSPHRASE, then the terminal)",
};
export const target: Option = {
  name: "target",
  value: "server",
  choices: ["chirpstack", "things-stack"],
  description: "the network server to use instead of a console",
};
/** Options for a network server instead of a console. */
export const targetOptions: readonly Option[] = [
  target,
  {
    name: "url",
    value: "address",
    description:
      "the address of the network server (default: CHIRPSTACK_URL with CHIRPSTACK_KEY, or THINGS_STACK_URL with THINGS_STACK_KEY)",
  },
  {
    name: "key-file",
    value: "file",
    description: "read the API key of the network server from a file, instead of asking for it",
  },
];
