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
