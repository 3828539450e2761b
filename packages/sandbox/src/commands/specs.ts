import type { CommandArgument, CommandOption, SandboxCommand } from "./command.ts";
import { SANDBOX_PORT, SANDBOX_PORTS } from "./sandbox-port.ts";
import { switchOptions } from "./switches.ts";

// Only types and data are imported here, so that a program that prints its help loads no command.

const type: CommandArgument = { name: "type", description: "an event type, such as sim.activated" };
const data: CommandOption = {
  name: "data",
  value: "json",
  description: 'values for the data of the event, such as \'{"object":{"id":"sim_1"}}\'',
};
const unknown: CommandOption = {
  name: "unknown",
  description: "accept a type that is not in the catalog",
};
const sandboxUrl: CommandOption = {
  name: "sandbox-url",
  value: "url",
  description:
    "the address of the sandbox (default: FIELDMESH_SANDBOX, then the one that was started last)",
};
const secretFile: CommandOption = {
  name: "secret-file",
  value: "file",
  description: "a file with the signing secret (default: the value of FIELDMESH_WEBHOOK_SECRET)",
};
const to: CommandOption = {
  name: "to",
  value: "url",
  description: "the receiver, on this machine",
  required: true,
};
const savedDelivery: readonly CommandOption[] = [
  {
    name: "headers",
    value: "file",
    description: "the headers, as lines or as a JSON object",
    required: true,
  },
  { name: "body", value: "file", description: "the body, byte for byte", required: true },
  {
    name: "at",
    value: "time",
    description: "the time of arrival, such as 2026-11-20T08:30:00Z, to check the age too",
  },
  secretFile,
];

/** The command that runs a sandbox until Ctrl-C. */
export const sandboxCommand: SandboxCommand = {
  name: "sandbox",
  summary: "Run the fieldmesh services on this machine, with state, until Ctrl-C",
  description:
    "It prints the addresses and keys of the services, and then a line for each request and each webhook delivery. --quiet leaves these lines out. Other commands use the sandbox that the variable FIELDMESH_SANDBOX names, which is printed too.",
  options: [
    {
      name: "port",
      value: "number",
      description: `the port to listen on; 0 is any free one (default: ${SANDBOX_PORT}, or the next free one of ${SANDBOX_PORTS})`,
    },
    {
      name: "host",
      value: "address",
      description:
        "the address to listen on (default: 127.0.0.1). With another address, such as 0.0.0.0, other machines on the network can reach the sandbox",
    },
    {
      name: "seed",
      value: "text",
      description: "the seed for ids, keys, data and faults (default: 1)",
    },
    {
      name: "latency",
      value: "ms",
      description: "the shortest time that a request takes, in milliseconds",
    },
    {
      name: "faults",
      value: "share:kinds:duration",
      description:
        "the share of requests that fail, and how, such as 0.1 or 0.1:reset,503, and for how long, such as 1:503:10min. Kinds: reset, lost, truncate, garbage, delay, delay=<ms>, or a status. What is delayed is carried out even if its caller has left",
    },
    {
      name: "webhook",
      value: "url",
      description: "a webhook endpoint on this machine, which receives all events, signed",
    },
    secretFile,
    {
      name: "env",
      value: "file",
      description: "write the addresses and keys to this file, for node --env-file",
    },
    {
      name: "from",
      value: "file",
      description: "start from a snapshot that --save has written, instead of new data",
    },
    {
      name: "save",
      value: "file",
      description: "write a snapshot with all data and keys at Ctrl-C, which --from reads",
    },
    ...switchOptions(),
  ],
  examples: [
    { line: "--env .env", does: "Write the addresses and keys to .env" },
    { line: "--faults 0.1:reset,503", does: "Break one request in ten" },
    { line: "--faults 1:503:10min", does: "Begin with an outage of ten minutes" },
    {
      line: "--console-deployment hosted --console-single-create enabled",
      does: "Play a hosted console (observed), with one difference",
    },
    {
      line: "--from fleet.snapshot.json --save fleet.snapshot.json",
      does: "Continue where the last run ended",
    },
  ],
  load: () => import("./start/start.ts"),
};

/** The commands of webhooks. `fieldmesh-sandbox send` and `fieldmesh webhooks send` are the same function. */
export const webhookCommands: readonly SandboxCommand[] = [
  {
    name: "listen",
    summary: "Show deliveries of a running sandbox as they arrive, and forward them",
    description: "It adds a webhook endpoint to the sandbox until Ctrl-C.",
    options: [
      {
        name: "forward-to",
        value: "url",
        description: "the receiver, on this machine (without it, every delivery is accepted)",
      },
      {
        name: "events",
        value: "pattern",
        description: "the types to receive, such as sim.activated or sim.* (default: all)",
        repeatable: true,
      },
      {
        name: "port",
        value: "number",
        description: "the port to listen on (default: any free port)",
      },
      secretFile,
      sandboxUrl,
    ],
    examples: [
      {
        line: "listen --forward-to http://127.0.0.1:3000/hooks",
        does: "Forward each delivery to your receiver and show its response",
      },
      { line: "listen --events 'sim.*' --json", does: "Print the events of SIMs as NDJSON" },
    ],
    load: () => import("./webhooks/listen.ts"),
  },
  {
    name: "trigger",
    summary: "Make a running sandbox emit an event to its webhook endpoints",
    arguments: [type],
    options: [data, unknown, sandboxUrl],
    examples: [
      { line: "trigger sim.activated", does: "Emit the sample of this type, with a new id" },
      {
        line: `trigger plan.created --data '{"object":{"id":"plan_7"}}'`,
        does: "Merge your data into the sample",
      },
    ],
    load: () => import("./webhooks/trigger.ts"),
  },
  {
    name: "send",
    summary: "Sign one event and post it to a receiver on this machine, without a sandbox",
    arguments: [type],
    options: [to, data, unknown, secretFile],
    examples: [
      {
        line: "send sim.activated --to http://127.0.0.1:3000/hooks",
        does: "Sign with FIELDMESH_WEBHOOK_SECRET",
      },
      {
        line: "send sim.teleported --unknown --to http://127.0.0.1:3000/hooks --secret-file secret.txt",
        does: "Send a type that is not in the catalog, as a newer service would",
      },
    ],
    load: () => import("./webhooks/send.ts"),
  },
  {
    name: "events",
    summary: "List the events of a sandbox with their deliveries, or all event types",
    description:
      "A filter prefers fields to bodies, like the page of the sandbox, and the command says what each word has matched.",
    arguments: [
      {
        name: "filter",
        description:
          "words that must all match, in quotes: failed, 4xx, a type, an id, outcome:ok, or words of the data",
        optional: true,
      },
    ],
    options: [{ name: "types", description: "list the event types of the catalog" }, sandboxUrl],
    examples: [
      { line: "events", does: "List events, deliveries and the last responses" },
      { line: "events failed", does: "List the events with a failed delivery" },
      { line: "events --types", does: "List the types that trigger and send accept" },
    ],
    load: () => import("./webhooks/events.ts"),
  },
  {
    name: "replay",
    summary: "Deliver an event of a sandbox again, or the events of a recording",
    description:
      "It signs the events of a recording again, and fills redacted fields with samples.",
    arguments: [{ name: "id", description: "the id of an event or of a delivery", optional: true }],
    options: [
      { name: "failed", description: "deliver again all deliveries that have failed" },
      { name: "from", value: "file", description: "a file that `record` wrote" },
      { ...to, required: false, description: "with --from: the receiver, on this machine" },
      {
        name: "new-ids",
        description: "with --from: give each event a new id, so that a store does not skip it",
      },
      secretFile,
      sandboxUrl,
    ],
    examples: [
      { line: "replay evt_5f0c3a", does: "Make the sandbox deliver this event again" },
      { line: "replay --failed", does: "Deliver all failed deliveries again, the oldest first" },
      {
        line: "replay --from deliveries.ndjson --to http://127.0.0.1:3000/hooks",
        does: "Sign and send each event of a recording",
      },
    ],
    load: () => import("./webhooks/replay.ts"),
  },
  {
    name: "undo",
    summary: "Undo the last rewind of a running sandbox",
    description:
      "The page of the sandbox goes back to before a request. This restores what it has removed, until the next request, event, reset or restore.",
    options: [sandboxUrl],
    examples: [
      { line: "undo", does: "Restore the requests, data, deliveries and time from before" },
      {
        line: `undo --sandbox-url http://127.0.0.1:${SANDBOX_PORT}`,
        does: "Undo it in the sandbox at this address",
      },
    ],
    load: () => import("./webhooks/undo.ts"),
  },
  {
    name: "verify",
    summary: "Verify the signature of a saved delivery",
    options: savedDelivery,
    examples: [
      {
        line: "verify --headers headers.txt --body body.json",
        does: "Verify with FIELDMESH_WEBHOOK_SECRET, at any age",
      },
      {
        line: "verify --headers headers.txt --body body.json --at 2026-11-20T08:30:00Z",
        does: "Also check that it was not older than 5 minutes when it arrived",
      },
    ],
    load: () => import("./webhooks/verify.ts"),
  },
  {
    name: "explain",
    summary: "Find out why a saved delivery fails verification",
    description: "It tries the usual mistakes one by one.",
    options: savedDelivery,
    examples: [
      {
        line: "explain --headers headers.txt --body body.json",
        does: "Name the change that makes the signature match",
      },
      {
        line: "explain --headers headers.json --body body.json --secret-file secret.txt --json",
        does: "Print the causes as JSON",
      },
    ],
    load: () => import("./webhooks/explain.ts"),
  },
  {
    name: "record",
    summary: "Verify, store and forward real deliveries that arrive through your tunnel",
    description:
      "Codes and personal data are redacted in the file. A delivery that fails verification is rejected and not stored.",
    options: [
      {
        name: "port",
        value: "number",
        description: "the port to listen on: the one that your tunnel forwards to",
        required: true,
      },
      {
        name: "forward-to",
        value: "url",
        description:
          "the receiver, on this machine or with https (without it, every verified delivery is accepted)",
      },
      {
        name: "out",
        value: "file",
        description: "the file for the events, as NDJSON (default: deliveries.ndjson)",
      },
      secretFile,
    ],
    examples: [
      { line: "record --port 4020", does: "Store deliveries in deliveries.ndjson" },
      {
        line: "record --port 4020 --forward-to http://127.0.0.1:3000/hooks --out monday.ndjson",
        does: "Also forward each delivery, and respond with the status of your receiver",
      },
    ],
    load: () => import("./webhooks/record.ts"),
  },
  {
    name: "catch-up",
    summary: "Send stored events to a receiver that missed them",
    description:
      "It reads them from the mobile service (MOBILE_URL, MOBILE_KEY) and signs them. Stored events contain no codes and no recipients, so those of a code or an order wait until their deliveries have ended. The exit code is 1 if another event is left open, or was given up.",
    options: [
      { ...to, description: "the receiver, on this machine or with https" },
      {
        name: "since",
        value: "time",
        description:
          "leave out events that were created earlier, in the first run; a time without a zone is UTC",
        required: true,
      },
      {
        name: "checkpoint",
        value: "file",
        description:
          "continue where the last complete run with this file ended, and keep the place in it",
      },
      {
        name: "deliveries-end",
        value: "hours",
        description: "how long after its creation an event may still be delivered (default: 72)",
      },
      {
        name: "delivery-only",
        value: "type",
        description: "an event type whose code your endpoint receives, which waits as well",
        choices: ["sim.provisioned", "sim.activated", "sim.swapped"],
        repeatable: true,
      },
      secretFile,
    ],
    examples: [
      {
        line: "catch-up --since 2026-11-20T06:00:00Z --to http://127.0.0.1:3000/hooks",
        does: "Send the events created since 06:00 UTC",
      },
      {
        line: "catch-up --since 2026-11-20 --to https://hooks.example.com/ --checkpoint place.json",
        does: "Send what is new since the last run, every night",
      },
      {
        line: "catch-up --since 2026-11-20 --to https://hooks.example.com/ --secret-file secret.txt --json",
        does: "Print the outcome of each event as NDJSON",
      },
    ],
    load: () => import("./webhooks/catch-up.ts"),
  },
];
