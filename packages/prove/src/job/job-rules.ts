import { isRecord, isSecret, revealText } from "@fieldmesh/core/internal";
import { createSecretCheck, type HoldsSecret } from "@fieldmesh/core/internal/schema";
import type { Sandbox } from "@fieldmesh/sandbox/engine";
import type { JobEnd, JobRun } from "./run-job.ts";

/** A device that must exist once at the end: its EUI, or the device as you create it, whose `app_key` then is a secret. */
export type ExpectedDevice =
  | string
  | {
      /** The DevEUI, in any form. */
      readonly dev_eui: string;
      /** Its key, which must not be written anywhere. */
      readonly app_key?: unknown;
    };

/** An event that the services must have emitted once. */
export interface ExpectedEvent {
  /** Its type, such as `subscriber.created`. */
  readonly type: string;
  /** Fields of its object. */
  readonly object?: Readonly<Record<string, unknown>> | undefined;
}

/** Your own rule over the end of a job. It returns a sentence that says what is wrong, or throws. */
export type JobRule<Report = unknown> = (
  end: JobEnd<Report>,
) => string | void | Promise<string | void>;

export interface Expected {
  readonly devices: readonly ExpectedDevice[];
  readonly events: readonly ExpectedEvent[];
  /** Finds the keys of the services and of `devices`, and what else must not be written. */
  readonly holdsSecret: HoldsSecret;
}

/** Returns the check for secrets: whole ones, because a device may have an EUI that is a part of its key. */
export function secretsOf(
  { apiKey, mobile }: Pick<Sandbox, "apiKey" | "mobile">,
  devices: readonly ExpectedDevice[],
  secrets: readonly string[],
): HoldsSecret {
  const keys = devices.flatMap((each) => {
    const key = typeof each === "object" ? each.app_key : undefined;
    return typeof key === "string" || isSecret(key) ? [revealText(key)] : [];
  });
  return createSecretCheck([apiKey, mobile.apiKey, ...keys, ...secrets], true);
}

type BuiltIn = (run: JobRun<unknown>, expected: Expected) => string | undefined;

/** The rules that hold for every job, in this order. */
export const builtInJobRules: Readonly<Record<string, BuiltIn>> = {
  "no secret is written": ({ written }, { holdsSecret }) => {
    const found = written.find(({ text }) => holdsSecret(text));
    return found && `${found.where} contains a key or another secret.`;
  },
  "each run ends": ({ problem, end }) => (end === undefined ? problem : undefined),
  "each expected record exists once": ({ end }, { devices, events }) => {
    if (end === undefined) return undefined;
    const held = [...end.sandbox.console.state.devices.values()];
    for (const expected of devices) {
      const eui = typeof expected === "string" ? expected : expected.dev_eui;
      const count = held.filter(({ dev_eui }) => isSame(dev_eui, eui)).length;
      if (count !== 1) return `the device ${eui} exists ${times(count)}.`;
    }
    for (const { type, object = {} } of events) {
      const count = end.sandbox.webhooks
        .events()
        .filter((event) => event.type === type && hasFields(event.data, object)).length;
      if (count !== 1) return `${type} of ${JSON.stringify(object)} has happened ${times(count)}.`;
    }
    return undefined;
  },
  "a record that the report calls created exists": ({ end }) => {
    if (end === undefined) return undefined;
    for (const each of createdOf(end.report))
      if (!exists(end, each)) return `the report calls ${each} created, and it does not exist.`;
    return undefined;
  },
};

function times(count: number): string {
  return count === 0 ? "0 times" : `${count} times, not once`;
}

function isSame(a: string, b: string): boolean {
  return a.toUpperCase() === b.toUpperCase();
}

function hasFields(data: unknown, fields: Readonly<Record<string, unknown>>): boolean {
  const object = isRecord(data) ? data["object"] : undefined;
  return (
    isRecord(object) && Object.entries(fields).every(([name, value]) => object[name] === value)
  );
}

/** The EUIs and ids of `created` in a report, or in its `results`, as `createMany` returns it. */
function createdOf(report: unknown): string[] {
  if (!isRecord(report)) return [];
  const { created, results } = report;
  if (!Array.isArray(created)) return results === undefined ? [] : createdOf(results);
  return created.flatMap((each: unknown) => {
    if (typeof each === "string") return [each];
    const named = isRecord(each) ? (each["dev_eui"] ?? each["id"]) : undefined;
    return typeof named === "string" ? [named] : [];
  });
}

/** Looks for a device by its EUI or id, and for every other record by its id. */
function exists({ sandbox }: JobEnd, name: string): boolean {
  const devices = [...sandbox.console.state.devices.values()];
  if (devices.some(({ dev_eui, id }) => isSame(dev_eui, name) || id === name)) return true;
  return [sandbox.console.state, sandbox.mobile.state].some((state) =>
    Object.values(state).some((records: unknown) => records instanceof Map && records.has(name)),
  );
}
