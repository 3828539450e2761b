import type { CommandArgument, CommandOption, SandboxCommand } from "./command.ts";

// Nothing but types is imported here: a program that prints its help loads no command.

const type: CommandArgument = { name: "type", description: "An event type, such as sim.activated" };
const data: CommandOption = {
  name: "data",
  value: "json",
  description: 'What its data shall have, such as \'{"object":{"id":"sim_1"}}\'',
};
const unknown: CommandOption = {
  name: "unknown",
  description: "Accept a type that is not in the catalog",
};
const sandboxUrl: CommandOption = {
  name: "sandbox-url",
  value: "url",
  description: "Which sandbox, or FIELDMESH_SANDBOX; without both, the one that was started last",
};
const secretFile: CommandOption = {
  name: "secret-file",
  value: "file",
  description: "The file of the signing secret; without it, FIELDMESH_WEBHOOK_SECRET",
};
const to: CommandOption = {
  name: "to",
  value: "url",
  description: "The receiver, on this machine",
  required: true,
};
const savedDelivery: readonly CommandOption[] = [
  {
    name: "headers",
    value: "file",
    description: "The headers: lines, or a JSON object",
    required: true,
  },
  { name: "body", value: "file", description: "The body, byte for byte", required: true },
  {
    name: "at",
    value: "time",
    description: "When it arrived, to check its age too, such as 2026-11-20T08:30:00Z",
  },
  secretFile,
];

/**
 * The command that runs a sandbox until Ctrl-C.
 *
 * @example
 * ```ts
 * const { run } = await sandboxCommand.load();
 * await run(context, { arguments: [], options: { port: "4010" } });
 * ```
 */
export const sandboxCommand: SandboxCommand = {
  name: "sandbox",
  summary: "Run the fieldmesh services with state on this machine until Ctrl-C",
  description: "It prints their addresses and keys.",
  options: [
    { name: "port", value: "number", description: "Where to listen; without it, any free port" },
    {
      name: "host",
      value: "address",
      description:
        "The address to listen on; 127.0.0.1 without it. With another one, such as 0.0.0.0, everybody on the network can reach it",
    },
    {
      name: "seed",
      value: "text",
      description: "Ids, key, data and faults follow from it; 1 without it",
    },
    { name: "latency", value: "ms", description: "What every request takes at least" },
    {
      name: "faults",
      value: "share:kinds",
      description:
        "How many requests go wrong, and in which ways, such as 0.1 or 0.1:reset,503. Kinds: reset, lost, truncate, garbage, delay, or a status",
    },
    {
      name: "webhook",
      value: "url",
      description: "A webhook endpoint on this machine that gets all events, signed",
    },
    secretFile,
    {
      name: "env",
      value: "file",
      description: "Write the addresses and keys to a file for node --env-file",
    },
  ],
  examples: [
    { line: "--port 4010 --env .env", does: "Listens on port 4010 and writes the keys to .env." },
    { line: "--faults 0.1:reset,503", does: "Breaks one request of ten." },
  ],
  load: () => import("./start/start.ts"),
};

/**
 * The commands of webhooks. `fieldmesh-sandbox send` and `fieldmesh webhooks send` are the same function.
 *
 * @example
 * ```ts
 * const send = webhookCommands.find(({ name }) => name === "send")!;
 * const { run } = await send.load();
 * await run(context, { arguments: ["sim.activated"], options: { to: "http://127.0.0.1:3000/hooks" } });
 * ```
 */
export const webhookCommands: readonly SandboxCommand[] = [
  {
    name: "listen",
    summary: "Show deliveries of a running sandbox as they arrive, and forward them",
    description: "It is a webhook endpoint of the sandbox until Ctrl-C.",
    options: [
      {
        name: "forward-to",
        value: "url",
        description: "The receiver, on this machine; without it, every delivery is accepted",
      },
      {
        name: "events",
        value: "pattern",
        description: "Which types, such as sim.activated or sim.*; all without it",
        repeatable: true,
      },
      { name: "port", value: "number", description: "Where to listen; without it, any free port" },
      secretFile,
      sandboxUrl,
    ],
    examples: [
      {
        line: "listen --forward-to http://127.0.0.1:3000/hooks",
        does: "Forwards each delivery to your receiver and shows its response.",
      },
      { line: "listen --events 'sim.*' --json", does: "Prints events of SIMs as NDJSON." },
    ],
    load: () => import("./webhooks/listen.ts"),
  },
  {
    name: "trigger",
    summary: "Make a running sandbox emit an event to its webhook endpoints",
    arguments: [type],
    options: [data, unknown, sandboxUrl],
    examples: [
      { line: "trigger sim.activated", does: "Emits the sample of this type with a new id." },
      {
        line: `trigger plan.created --data '{"object":{"id":"plan_7"}}'`,
        does: "Merges your data into the sample.",
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
        does: "Signs with FIELDMESH_WEBHOOK_SECRET.",
      },
      {
        line: "send sim.teleported --unknown --to http://127.0.0.1:3000/hooks --secret-file secret.txt",
        does: "Sends a type that is not in the catalog, as a newer service would.",
      },
    ],
    load: () => import("./webhooks/send.ts"),
  },
  {
    name: "events",
    summary: "List the events of a sandbox with their deliveries, or all event types",
    options: [{ name: "types", description: "List the event types of the catalog" }, sandboxUrl],
    examples: [
      { line: "events", does: "Lists events, deliveries and the last responses." },
      { line: "events --types", does: "Lists the types that trigger and send accept." },
    ],
    load: () => import("./webhooks/events.ts"),
  },
  {
    name: "replay",
    summary: "Deliver again: an event of a sandbox, or the events of a recording",
    description:
      "The events of a recording are signed again. Samples fill what was redacted in them.",
    arguments: [
      {
        name: "id",
        description: "The id of an event, or of a delivery of the sandbox",
        optional: true,
      },
    ],
    options: [
      { name: "from", value: "file", description: "A file that record has written" },
      { ...to, required: false, description: "With --from: the receiver, on this machine" },
      {
        name: "new-ids",
        description: "With --from: as new events, which a receiver has not handled",
      },
      secretFile,
      sandboxUrl,
    ],
    examples: [
      { line: "replay evt_5f0c3a", does: "Makes the sandbox deliver this event again." },
      {
        line: "replay --from deliveries.ndjson --to http://127.0.0.1:3000/hooks",
        does: "Signs and sends each event of a recording.",
      },
    ],
    load: () => import("./webhooks/replay.ts"),
  },
  {
    name: "verify",
    summary: "Verify the signature of a saved delivery",
    options: savedDelivery,
    examples: [
      {
        line: "verify --headers headers.txt --body body.json",
        does: "Verifies with FIELDMESH_WEBHOOK_SECRET, whatever its age.",
      },
      {
        line: "verify --headers headers.txt --body body.json --at 2026-11-20T08:30:00Z",
        does: "Checks as well that it was not older than 5 minutes when it arrived.",
      },
    ],
    load: () => import("./webhooks/verify.ts"),
  },
  {
    name: "explain",
    summary: "Find out why a saved delivery is not verified",
    description: "It tries the usual mistakes, one after the other.",
    options: savedDelivery,
    examples: [
      {
        line: "explain --headers headers.txt --body body.json",
        does: "Names the change that makes the signature fit.",
      },
      {
        line: "explain --headers headers.json --body body.json --secret-file secret.txt --json",
        does: "Prints the causes as JSON.",
      },
    ],
    load: () => import("./webhooks/explain.ts"),
  },
  {
    name: "record",
    summary: "Verify, store and forward real deliveries that your tunnel brings to this machine",
    description:
      "Codes and personal data are redacted in the file. Deliveries that are not verified are rejected and not stored.",
    options: [
      {
        name: "port",
        value: "number",
        description: "Where to listen, which is where your tunnel leads",
        required: true,
      },
      {
        name: "forward-to",
        value: "url",
        description:
          "The receiver, on this machine or with https; without it, every verified delivery is accepted",
      },
      {
        name: "out",
        value: "file",
        description: "Where events are stored as NDJSON; deliveries.ndjson without it",
      },
      secretFile,
    ],
    examples: [
      { line: "record --port 4020", does: "Stores what arrives in deliveries.ndjson." },
      {
        line: "record --port 4020 --forward-to http://127.0.0.1:3000/hooks --out monday.ndjson",
        does: "Forwards it too, and responds with the status of your receiver.",
      },
    ],
    load: () => import("./webhooks/record.ts"),
  },
  {
    name: "catch-up",
    summary: "Send the stored events that a receiver has missed to its address",
    description:
      "It reads them from the mobile service (MOBILE_URL, MOBILE_KEY) and signs them. Stored events have no codes and no recipients.",
    options: [
      {
        ...to,
        description: "The receiver, on this machine or with https",
      },
      {
        name: "since",
        value: "time",
        description: "Events that were created before it are left out",
        required: true,
      },
      secretFile,
    ],
    examples: [
      {
        line: "catch-up --since 2026-11-20T06:00:00Z --to http://127.0.0.1:3000/hooks",
        does: "Sends what happened since 6 o'clock.",
      },
      {
        line: "catch-up --since 2026-11-20 --to https://hooks.example.com/ --secret-file secret.txt --json",
        does: "Prints the outcome of each event as NDJSON.",
      },
    ],
    load: () => import("./webhooks/catch-up.ts"),
  },
];
