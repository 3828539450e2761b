import type { Command, Option } from "../command.ts";

const description = [
  "The format follows from the end of the file's name, or from --format.",
  "An export that was stopped or killed resumes when the same command runs again:",
  "until it is complete, what was read is in FILE.partial, and the place in FILE.state.json.",
].join(" ");

const shared: readonly Option[] = [
  {
    name: "out",
    value: "file",
    required: true,
    description: "The file to write: .ndjson, .csv, .sqlite or .parquet",
  },
  {
    name: "format",
    value: "format",
    choices: ["ndjson", "csv", "sqlite", "parquet"],
    description: "The format, where the name of the file does not tell it",
  },
];
const maxTime: Option = {
  name: "max-time",
  value: "time",
  description: "The end, in the same forms; now without it. The block that contains it is left out",
};
const lanes: Option = {
  name: "lanes",
  value: "number",
  description: "Requests at once, from 1 to 64; 4 without it",
};
const address = { name: "address", description: "The address of the account" };
const FORMS = 'ISO 8601, or before --max-time, such as "-30 day" (hour, day or week)';

export const ledgerCommands: readonly Command[] = [
  {
    path: "ledger export rewards",
    summary: "Export the rewards of an account to a file",
    description,
    arguments: [address],
    options: [
      {
        name: "min-time",
        value: "time",
        required: true,
        description: `The start: ${FORMS}`,
      },
      maxTime,
      ...shared,
      lanes,
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
    ],
    load: async () => (await import("./export/run-export.ts")).exportOf("rewards"),
  },
  {
    path: "ledger export activity",
    summary: "Export the transactions of an account to a file",
    description: `${description} The published contract has no times for this list: pass them, and lanes, only where your deployment reads them.`,
    arguments: [address],
    options: [
      {
        name: "min-time",
        value: "time",
        description: `The start: ${FORMS}; everything without it`,
      },
      maxTime,
      ...shared,
      { ...lanes, description: `${lanes.description}; needs --min-time` },
    ],
    examples: [
      {
        line: "ledger export activity 14Pf… --out activity.ndjson",
        does: "Export every transaction that the ledger lists, one after the other",
      },
      {
        line: 'ledger export activity 14Pf… --min-time "-1 week" --lanes 8 --out activity.sqlite',
        does: "Export a week to SQLite, with eight requests at once",
      },
    ],
    load: async () => (await import("./export/run-export.ts")).exportOf("activity"),
  },
  {
    path: "ledger export blocks",
    summary: "Export the blocks of a timeframe to a file",
    description: `${description} The list of blocks is read from the newest one down to --min-time.`,
    options: [
      {
        name: "min-time",
        value: "time",
        description: `The start: ${FORMS}; the first block without it`,
      },
      maxTime,
      ...shared,
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
    load: async () => (await import("./export/run-export.ts")).exportOf("blocks"),
  },
];
