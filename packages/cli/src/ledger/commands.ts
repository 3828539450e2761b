import type { Command, Option } from "../command.ts";

const description = [
  "The extension of the file, or --format, sets the format.",
  "After a kill or Ctrl-C, the same command resumes the export.",
  "Until the export is complete, FILE.partial holds what was read, and FILE.state.json holds the position.",
].join(" ");

const shared: readonly Option[] = [
  {
    name: "out",
    value: "file",
    required: true,
    description: "the file to write: .ndjson, .csv, .sqlite or .parquet; a folder with --partition",
  },
  {
    name: "format",
    value: "format",
    choices: ["ndjson", "csv", "sqlite", "parquet"],
    description: "the format, if the name of the file does not show it",
  },
  {
    name: "distinct",
    description:
      "leave out up to ten rows at the start of a page that repeat, in all fields, those that ended the page before",
  },
];
const minTime: Option = {
  name: "min-time",
  value: "time",
  description:
    'the start: ISO 8601, or relative to --max-time, such as "-30 day" (hour, day or week)',
};
const maxTime: Option = {
  name: "max-time",
  value: "time",
  description: "the end, in the same forms (default: now). The block that contains it is left out",
};
const lanes: Option = {
  name: "lanes",
  value: "number",
  description: "requests at once, from 1 to 64 (default: 4)",
};
const partition = (by: string, does: string): Option => ({
  name: "partition",
  value: by,
  choices: [by],
  description: does,
});
const address = { name: "address", description: "the address of the account", aliases: ["id"] };

export const ledgerCommands: readonly Command[] = [
  {
    path: "ledger export rewards",
    summary: "Export the rewards of an account to a file, or of many accounts to a folder",
    description: `${description} With --partition day, a complete account is not read again.`,
    arguments: [{ ...address, optional: true }],
    options: [
      { ...minTime, required: true },
      maxTime,
      ...shared,
      lanes,
      {
        name: "accounts",
        value: "file",
        description: "a file of addresses, one on each line, instead of an address",
      },
      partition("day", "write a Parquet file for each account and UTC day into the folder --out"),
      {
        name: "shard",
        value: "part",
        description: 'export a part of the accounts, such as "2/8": the second of eight',
      },
    ],
    examples: [
      {
        line: 'ledger export rewards 14Pf… --min-time "-30 day" --out rewards.parquet',
        does: "Export the rewards of the last 30 days to Parquet",
      },
      {
        line: "ledger export rewards 14Pf… --min-time 2026-01-01 --max-time 2027-01-01 --lanes 8 --out 2026.csv",
        does: "Export a year to CSV, with eight requests at once",
      },
      {
        line: "ledger export rewards --accounts accounts.txt --partition day --min-time 2026-11-01 --max-time 2026-12-01 --shard 2/8 --out november/",
        does: "Export the second eighth of many accounts, with a file for each account and day",
      },
    ],
    calls: "ledger",
    load: async () => (await import("./export-list.ts")).exportOf("rewards"),
  },
  {
    path: "ledger export activity",
    summary: "Export the transactions of an account to a file",
    description: `${description} The published spec has no time range for this list. Use --min-time, --max-time and --lanes only if your deployment supports them.`,
    arguments: [address],
    options: [
      { ...minTime, description: `${minTime.description} (default: the first transaction)` },
      maxTime,
      ...shared,
      { ...lanes, description: `${lanes.description}; needs --min-time` },
    ],
    examples: [
      {
        line: "ledger export activity 14Pf… --out activity.ndjson",
        does: "Export every transaction that the ledger lists, page by page",
      },
      {
        line: 'ledger export activity 14Pf… --min-time "-1 week" --lanes 8 --out activity.sqlite',
        does: "Export a week to SQLite, with eight requests at once",
      },
    ],
    calls: "ledger",
    load: async () => (await import("./export-list.ts")).exportOf("activity"),
  },
  {
    path: "ledger export blocks",
    summary: "Export the blocks of a time range to a file, or to a folder",
    description: `${description} The command reads the list of blocks from the newest one down to --min-time.`,
    options: [
      { ...minTime, description: `${minTime.description} (default: the first block)` },
      maxTime,
      ...shared,
      partition("height", "write a Parquet file for each 10,000 blocks into the folder --out"),
    ],
    examples: [
      {
        line: 'ledger export blocks --min-time "-1 day" --out blocks.parquet',
        does: "Export the blocks of the last day to Parquet",
      },
      {
        line: "ledger export blocks --min-time 2026-11-01 --max-time 2026-11-08 --out blocks.csv",
        does: "Export the blocks of a week to CSV",
      },
    ],
    calls: "ledger",
    load: async () => (await import("./export-list.ts")).exportOf("blocks"),
  },
  {
    path: "ledger verify",
    summary: "Compare a folder of exported files with its manifests",
    description:
      "Reports files that are missing, changed, in two manifests or in none, and shards and accounts that are not complete. Exits with 4 if it finds any. It sends no request.",
    arguments: [{ name: "folder", description: "the folder that --partition has written" }],
    examples: [
      { line: "ledger verify november/", does: "Check the files of all shards" },
      { line: "ledger verify november/ --json", does: "Print what is wrong as one object" },
    ],
    load: async () => await import("./folder/verify-folder.ts"),
  },
];
