import type { DeviceEvent, EventGap } from "@fieldmesh/console-client";
import { recordOf } from "@fieldmesh/core/internal";
import { STATUS, type Hooks } from "@fieldmesh/http/internal";
import type { Run } from "../command.ts";
import type { Context } from "../context.ts";
import { CliError } from "../exit-codes.ts";
import { sayDuration } from "../output/progress.ts";
import { hideValues } from "../clients/hide-values.ts";
import { digitsOf, isEui, isId } from "./csv/cells.ts";
import { textOption } from "./options.ts";
import { readDevices } from "./runs/read-devices.ts";

/** Outlasts an outage of an hour, because a person watches and may press Ctrl-C. */
const KEEP_TRYING = 3_600_000;
const SECOND = 1_000;

export const run: Run = async (context, input) => {
  const { output, signal } = context;
  const device_id = await findDevice(context, input.arguments[0] ?? "");
  const from = textOption(input, "from") === "now" ? "now" : "previous";
  const client = await context.client("console");
  const { devices } = client.withOptions({ hooks: watchOutages(output) });
  const onGap = ({ after, before }: EventGap): void =>
    output.note(
      `Events may be lost between ${after === undefined ? "the first look" : timeOf(after)} and ${timeOf(before)}.`,
    );
  const options = { from, onGap, signal, keepTrying: KEEP_TRYING } as const;
  const hide = await hideValues("console", ["devices", "events"], context);
  output.note("Press Ctrl-C to stop it.");
  for await (const event of devices.follow({ device_id }, options)) {
    const shown = hide(event) as DeviceEvent;
    if (output.isJson) await output.records([shown]);
    else await output.line(lineOf(shown));
  }
};

/** Says when the console stops responding, and when it responds again: once each, however often the client retries. */
function watchOutages(output: Context["output"]): Hooks {
  let since: number | undefined;
  const noteNow = (what: string): void => output.note(`${new Date().toISOString()}  ${what}`);
  const fails = (failure: string): void => {
    if (since !== undefined) return;
    since = Date.now();
    noteNow(`The console does not respond (${failure}). It is asked again for an hour.`);
  };
  return {
    onFailure: ({ failure }) => fails(failure),
    onResponse({ status }) {
      if (status >= STATUS.internalError || status === STATUS.tooManyRequests)
        return fails(`status ${status}`);
      if (since !== undefined)
        noteNow(`The console responds again, after ${sayDuration((Date.now() - since) / SECOND)}.`);
      since = undefined;
    },
  };
}

async function findDevice(context: Context, named: string): Promise<string> {
  if (isId(named)) return named;
  const eui = digitsOf(named).toUpperCase();
  if (!isEui(eui)) throw new CliError("Name the device: by its id, a UUID, or by its dev_eui.");
  const client = await context.client("console");
  const found = await readDevices(
    client,
    context.signal,
    (each) => each.dev_eui.toUpperCase() === eui,
  );
  const [device, other] = found;
  if (device === undefined) throw new CliError("There is no device with this dev_eui.");
  if (other === undefined) return device.id;
  throw new CliError(`${found.length} devices have this dev_eui: name one by its id.`);
}

function lineOf(event: DeviceEvent): string {
  const { reported_at, category, sub_category, description } = event;
  // Joins have the string "undefined" (observed).
  const kind = sub_category == null || sub_category === "undefined" ? category : sub_category;
  // Of a request to an integration, the event has what was sent.
  const data = recordOf(event["data"]);
  const sent = recordOf(recordOf(data["req"])["body"]);
  const numbers = NUMBERS.flatMap(([name, before, after]) => {
    const value = data[name] ?? sent[name];
    return typeof value === "number" ? [`${before}${value}${after}`] : [];
  });
  return [timeOf(reported_at), kind, ...numbers, description ?? ""].join("  ").trimEnd();
}

/** What a person looks for in an event: its number, its port and how long its payload is. */
const NUMBERS = [
  ["fcnt", "fcnt ", ""],
  ["port", "port ", ""],
  ["payload_size", "", " bytes"],
] as const;

function timeOf(reported_at: string): string {
  const date = new Date(Number(reported_at));
  return Number.isNaN(date.getTime()) ? reported_at : date.toISOString();
}
