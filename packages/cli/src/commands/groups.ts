/** A line of help for each first word of commands. */
export const groups: Readonly<Record<string, string>> = {
  console: "Call the device console",
  devices: "Import, export and change many devices",
  fleet: "Move a fleet to another console or network server",
  ledger: "Call the ledger, and export from it",
  "ledger export": "Export rewards, activity or blocks to a file",
  mapper: "Call the mapping ingest",
  mirror: "Compare and repair a mirror of the mobile service",
  mobile: "Call the mobile connectivity service",
  profile: "Store addresses and keys under a name",
  webhooks: "Receive, send and inspect webhooks",
};
