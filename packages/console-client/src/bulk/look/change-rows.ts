import { memberOf, type AnyRecord } from "@fieldmesh/core/internal";
import * as z from "@fieldmesh/core/internal/zod";
import { id } from "../../fields.ts";
import type { How } from "../run/send-patiently.ts";
import type { PendingItem } from "../run/run-parts.ts";

/** The methods of the client that change one device. */
export interface ChangeMethods {
  delete(input: { id: string }, ...how: How): Promise<unknown>;
  setActive(input: { device_id: string; active: boolean }, ...how: How): Promise<unknown>;
  addLabel(input: { device_id: string; label: string }, ...how: How): Promise<unknown>;
  removeLabel(input: { device_id: string; label_id: string }, ...how: How): Promise<unknown>;
}

/** How a method for many devices changes one of them. */
export interface ChangeRow {
  /** The method that changes one device. */
  readonly call: string;
  readonly fields: z.ZodMiniObject;
  /** The field of the input with the id of the device. */
  readonly idField: "id" | "device_id";
  /** Fields that distinguish the change from another one of the same device, if an input may contain both. */
  readonly keyFields: readonly string[];
  readonly send: (methods: ChangeMethods, input: never, ...how: How) => Promise<unknown>;
  /**
   * Whether the device list shows that the change was carried out. `device` is `undefined` if the list does not contain it. Returns
   * `undefined` if its record does not say: with `validation: "off"`, a field may be anything.
   */
  readonly isDone: (device: AnyRecord | undefined, input: never) => boolean | undefined;
  /** `devices.get` shows it too. In the spec, it does not show whether a device is active. */
  readonly isInRecord: boolean;
  /** What the change removes from the list. A delayed or incomplete list lacks things too, so one list alone proves nothing. */
  readonly removes: "device" | "label" | undefined;
  /** A second request is harmless, even if the first one is still in progress. */
  readonly repeatable: boolean;
}

/** A valid input without a result. */
export interface PendingChange extends PendingItem {
  readonly input: Readonly<Record<string, unknown>>;
  readonly identity: { readonly index: number; readonly device_id: string };
  /** The last valid list did not contain what is to be removed. */
  wasGone?: boolean;
  /** The console responded with 404 after an earlier request with it had broken. */
  isNotFound?: boolean;
}

/** How each method of many devices changes one of them. */
export const changes = {
  deleteMany: row({
    call: "devices.delete",
    fields: z.object({ id }),
    idField: "id",
    keyFields: [],
    send: (methods, input, ...how) => methods.delete(input, ...how),
    isDone: (device) => device === undefined,
    isInRecord: true,
    removes: "device",
    repeatable: true,
  }),
  setActiveMany: row({
    call: "devices.setActive",
    fields: z.object({ device_id: id, active: z.boolean() }),
    idField: "device_id",
    // `active` is not a key field: a device cannot be both.
    keyFields: [],
    send: (methods, input, ...how) => methods.setActive(input, ...how),
    isDone: (device, { active }) => device?.["active"] === active,
    isInRecord: false,
    removes: undefined,
    repeatable: true,
  }),
  addLabelMany: row({
    call: "devices.addLabel",
    fields: z.object({ device_id: id, label: id }),
    idField: "device_id",
    keyFields: ["label"],
    send: (methods, input, ...how) => methods.addLabel(input, ...how),
    isDone: (device, { label }) => device !== undefined && hasLabel(device, label),
    isInRecord: true,
    removes: undefined,
    // The spec does not say what a second request does.
    repeatable: false,
  }),
  removeLabelMany: row({
    call: "devices.removeLabel",
    fields: z.object({ device_id: id, label_id: id }),
    idField: "device_id",
    keyFields: ["label_id"],
    send: (methods, input, ...how) => methods.removeLabel(input, ...how),
    isDone: (device, { label_id }) => device !== undefined && not(hasLabel(device, label_id)),
    isInRecord: true,
    removes: "label",
    repeatable: true,
  }),
};

/** Checks the rows: `send` and `isDone` must accept the input that `fields` describes. */
function row<Shape extends z.core.$ZodShape>(
  each: Omit<ChangeRow, "fields" | "send" | "isDone"> & {
    readonly fields: z.ZodMiniObject<Shape>;
    readonly send: (
      methods: ChangeMethods,
      input: z.output<z.ZodMiniObject<Shape>>,
      ...how: How
    ) => Promise<unknown>;
    readonly isDone: (
      device: AnyRecord | undefined,
      input: z.output<z.ZodMiniObject<Shape>>,
    ) => boolean | undefined;
  },
): ChangeRow {
  return each as unknown as ChangeRow;
}

function hasLabel({ labels }: AnyRecord, label_id: string): boolean | undefined {
  if (!Array.isArray(labels)) return undefined;
  const ids = labels.map((label) => memberOf(label, "id"));
  if (!ids.every((each) => typeof each === "string")) return undefined;
  return ids.some((each) => each.toLowerCase() === label_id.toLowerCase());
}

function not(value: boolean | undefined): boolean | undefined {
  return value === undefined ? undefined : !value;
}
