// zod's small build, because the schemas have to fit into 31 KB: the whole zod alone has more.
import * as z from "zod/mini";
import { isSecret, Secret, type OpenEnum } from "@fieldmesh/core";
import { sensitive } from "@fieldmesh/core/schema";
import type { EventMap } from "../../catalog/event-map.ts";

export { sensitive } from "@fieldmesh/core/schema";

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
  open({ id: z.optional(z.string()), ...shape });

/** Makes a record on first use and keeps it: types that have it share what it is compiled to, so that this stays hot. */
export const once = <Made>(make: () => Made): (() => Made) => {
  let made: Made | undefined;
  return () => (made ??= make());
};

const known = new WeakMap<z.core.$ZodType, z.core.$ZodType>();

/** The `data` of an event: a snapshot, and prior values of any kind. One for each snapshot's schema. */
export const data = <Snapshot extends z.core.$ZodType>(object: Snapshot): Data<Snapshot> => {
  let made = known.get(object);
  if (made === undefined) known.set(object, (made = change(object, z.optional(open({})))));
  return made as Data<Snapshot>;
};
type Data<Snapshot extends z.core.$ZodType> = ReturnType<
  typeof change<Snapshot, z.ZodMiniOptional<ReturnType<typeof open<{}>>>>
>;

/** The `data` of an event that always has prior values. */
export const change = <Snapshot extends z.core.$ZodType, Previous extends z.core.$ZodType>(
  object: Snapshot,
  previous: Previous,
) => open({ object, previous_attributes: previous, imported: z.optional(z.boolean()) });

export const text = () => z.nullish(z.string());
export const count = () => z.nullish(z.number());

/** Text of which some values are known. */
export const openEnum = <const Known extends string>(..._known: readonly Known[]) =>
  z.string() as z.core.$ZodType as z.core.$ZodType<OpenEnum<Known>, OpenEnum<Known>>;

/** Text on the wire that the caller gets as a {@link Secret}. */
export const secret = () =>
  sensitive(
    "secret",
    z.codec(z.string(), z.custom<Secret>(isSecret), {
      decode: (value) => new Secret(value),
      encode: (value) => value.reveal(),
    }),
  );
