import * as z from "zod/mini";
import { isSecret, Secret, type OpenEnum } from "@fieldmesh/core";
import { sensitive } from "@fieldmesh/core/schema";

// What the schema files are written with. `npm run events` knows these functions by name.

export { sensitive } from "@fieldmesh/core/schema";

/** A record whose full field list the spec does not show: declared fields are checked, others are kept. */
export const open = z.looseObject;

/** As {@link open}, with the id that a resource has. */
export const resource = <Shape extends z.core.$ZodLooseShape>(shape: Shape) =>
  open({ id: z.optional(z.string()), ...shape });

/** Makes a schema on first use, for all event types that have it. */
export const shared = <Made>(make: () => Made): (() => Made) => {
  let made: Made | undefined;
  return () => (made ??= make());
};

/** The `data` of an event: a snapshot, and prior values of any kind. */
export const eventData = <Snapshot extends z.core.$ZodType>(object: Snapshot) =>
  changeData(object, z.optional(open({})));

/** The `data` of an event that always has prior values. */
export const changeData = <Snapshot extends z.core.$ZodType, Previous extends z.core.$ZodType>(
  object: Snapshot,
  previous: Previous,
) => open({ object, previous_attributes: previous, imported: z.optional(z.boolean()) });

export const maybeString = () => z.nullish(z.string());
export const maybeNumber = () => z.nullish(z.number());

/** A string of which some values are known. */
export const openEnum = <const Value extends string>(..._values: readonly Value[]) =>
  z.string() as z.core.$ZodType as z.core.$ZodType<OpenEnum<Value>, OpenEnum<Value>>;

/** A string on the wire that the caller gets as a {@link Secret}. */
export const secret = () =>
  sensitive(
    "secret",
    z.codec(z.string(), z.custom<Secret>(isSecret), {
      decode: (value) => new Secret(value),
      encode: (value) => value.reveal(),
    }),
  );
