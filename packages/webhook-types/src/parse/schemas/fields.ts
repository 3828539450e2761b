import * as z from "zod";
import type { EventMap } from "../../catalog/event-map.js";

/**
 * The rows of a family: a type, and what makes the schema of its `data`.
 *
 * A thunk each, because a process that gets three types should not pay for 139.
 */
export type Rows<Family> = {
  readonly [Type in keyof Family & keyof EventMap]: () => z.core.$ZodType<EventMap[Type]["data"]>;
};

/** A record whose full field list the spec does not show: what it names is checked, anything else is kept. */
export const open = z.looseObject;

/** As {@link open}, with the id that a resource has. */
export const resource = <Shape extends z.core.$ZodLooseShape>(shape: Shape) =>
  open({ id: z.string().optional(), ...shape });

/** The `data` of an event: a snapshot, and prior values of any kind. */
export const data = <Snapshot extends z.ZodType>(object: Snapshot) =>
  open({
    object,
    previous_attributes: open({}).optional(),
    imported: z.boolean().optional(),
  });

/** The `data` of an event that always has prior values. */
export const change = <Snapshot extends z.ZodType, Previous extends z.ZodType>(
  object: Snapshot,
  previous: Previous,
) => open({ object, previous_attributes: previous, imported: z.boolean().optional() });

export const text = () => z.string().nullish();
export const count = () => z.number().nullish();
