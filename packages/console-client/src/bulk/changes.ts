import * as z from "zod/mini";
import type { CallOptions } from "@fieldmesh/http";
import type { Device } from "../device.ts";
import { id } from "../fields.ts";
import type { PendingItem } from "./verb.ts";

/** The methods of the client that change one device. */
export interface ChangeMethods {
  delete(input: { id: string }, options: CallOptions): Promise<unknown>;
  setActive(input: { device_id: string; active: boolean }, options: CallOptions): Promise<unknown>;
  addLabel(input: { device_id: string; label: string }, options: CallOptions): Promise<unknown>;
  removeLabel(
    input: { device_id: string; label_id: string },
    options: CallOptions,
  ): Promise<unknown>;
}

/** How one method over many devices changes one of them. */
export interface ChangeRow {
  /** Such as `devices.deleteMany`. */
  readonly method: string;
  /** The method that changes one device. */
  readonly call: string;
  readonly fields: z.ZodMiniObject;
  /** Where the input has the device's id. */
  readonly idField: "id" | "device_id";
  /** Tells the change from another one of the same device, where both may be in an input. */
  readonly keyFields: readonly string[];
  readonly send: (methods: ChangeMethods, input: never, options: CallOptions) => Promise<unknown>;
  /** Whether the device list shows that the change was carried out; `device` is `undefined` where the list does not have it. */
  readonly isDone: (device: Device | undefined, input: never) => boolean;
  /** What is then gone from the list. A list that lags or is cut off lacks things too, so one alone does not prove it. */
  readonly removes: "device" | "label" | undefined;
  /** A second request does no harm, also when the first one is still in progress. */
  readonly repeatable: boolean;
}

/** An input that is valid and has no result yet. */
export interface PendingChange extends PendingItem {
  readonly input: Readonly<Record<string, unknown>>;
  readonly facts: { readonly index: number; readonly device_id: string };
  /** The last list that counts did not have what is to be removed. */
  wasGone?: boolean;
  /** The console responded 404 to it after a request with it had broken. */
  isNotFound?: boolean;
}

export const changes = {
  deleteMany: row({
    method: "devices.deleteMany",
    call: "devices.delete",
    fields: z.object({ id }),
    idField: "id",
    keyFields: [],
    send: (methods, input, options) => methods.delete(input, options),
    isDone: (device) => device === undefined,
    removes: "device",
    repeatable: true,
  }),
  setActiveMany: row({
    method: "devices.setActiveMany",
    call: "devices.setActive",
    fields: z.object({ device_id: id, active: z.boolean() }),
    idField: "device_id",
    // Not `active`: one device cannot be both.
    keyFields: [],
    send: (methods, input, options) => methods.setActive(input, options),
    isDone: (device, { active }) => device?.active === active,
    removes: undefined,
    repeatable: true,
  }),
  addLabelMany: row({
    method: "devices.addLabelMany",
    call: "devices.addLabel",
    fields: z.object({ device_id: id, label: id }),
    idField: "device_id",
    keyFields: ["label"],
    send: (methods, input, options) => methods.addLabel(input, options),
    isDone: (device, { label }) => device !== undefined && hasLabel(device, label),
    removes: undefined,
    // The spec does not say what a second request does.
    repeatable: false,
  }),
  removeLabelMany: row({
    method: "devices.removeLabelMany",
    call: "devices.removeLabel",
    fields: z.object({ device_id: id, label_id: id }),
    idField: "device_id",
    keyFields: ["label_id"],
    send: (methods, input, options) => methods.removeLabel(input, options),
    isDone: (device, { label_id }) => device !== undefined && !hasLabel(device, label_id),
    removes: "label",
    repeatable: true,
  }),
};

/** Checks in the table that `send` and `isDone` accept what `fields` describes. */
function row<Shape extends z.core.$ZodShape>(
  each: Omit<ChangeRow, "fields" | "send" | "isDone"> & {
    readonly fields: z.ZodMiniObject<Shape>;
    readonly send: (
      methods: ChangeMethods,
      input: z.output<z.ZodMiniObject<Shape>>,
      options: CallOptions,
    ) => Promise<unknown>;
    readonly isDone: (
      device: Device | undefined,
      input: z.output<z.ZodMiniObject<Shape>>,
    ) => boolean;
  },
): ChangeRow {
  return each as unknown as ChangeRow;
}

function hasLabel({ labels }: Device, label_id: string): boolean {
  return labels.some((label) => label.id.toLowerCase() === label_id.toLowerCase());
}
