import * as z from "@fieldmesh/core/internal/zod";
import { getOrInsertComputed, isSecret, Secret, type OpenEnum } from "@fieldmesh/core/internal";
import { guess, sensitive } from "@fieldmesh/core/internal/schema";

// The building blocks of the schema files. `npm run generate -- events` recognizes these functions by name.

export { guess, sensitive } from "@fieldmesh/core/internal/schema";

/** A record whose full field list the spec does not show: declared fields are checked, and others are kept. */
export const open = z.looseObject;

/** Like {@link open}, for the object of an event: its type has only the declared fields, so that a misspelled name does not compile. */
export const snapshot: typeof open = (shape) => open(shape);

/** Like {@link snapshot}, with the id of a resource. */
export const resource = <Shape extends z.core.$ZodLooseShape>(shape: Shape) =>
  open({ id: guess(z.optional(z.string())), ...shape });

/** Creates a schema on first use, and shares it between all event types that use it. */
export const shared = <Made>(make: () => Made): (() => Made) => {
  let made: Made | undefined;
  return () => (made ??= make());
};

const dataByObject = new WeakMap<z.core.$ZodType, z.core.$ZodType>();

/** The `data` of an event: a snapshot, and previous values of any kind. Event types with the same snapshot share it. */
export const eventData = <Snapshot extends z.core.$ZodType>(object: Snapshot) =>
  // The value of a key was made from it, so it has its type.
  getOrInsertComputed(dataByObject, object, makeData) as ReturnType<typeof makeData<Snapshot>>;

const makeData = <Snapshot extends z.core.$ZodType>(object: Snapshot) =>
  changeData(object, guess(z.optional(open({}))));

/** The `data` of an event that always has previous values. */
export const changeData = <Snapshot extends z.core.$ZodType, Previous extends z.core.$ZodType>(
  object: Snapshot,
  previous: Previous,
) => open({ object, previous_attributes: previous, imported: guess(z.optional(z.boolean())) });

// The spec names the field but not its type. A different value is drift and never rejects an event.

export const maybeString = () => guess(z.nullish(z.string()));
export const maybeNumber = () => guess(z.nullish(z.number()));
export const maybeBoolean = () => guess(z.nullish(z.boolean()));
/** A field that the event always has, according to the spec. */
export const someString = () => guess(z.string());
export const someNumber = () => guess(z.number());
/** A field of the event, or `null` if it has no value. */
export const stringOrNull = () => guess(z.nullable(z.string()));

export const openEnum = <const Value extends string>(..._values: readonly Value[]) =>
  z.string() as z.core.$ZodType as z.core.$ZodType<OpenEnum<Value>, OpenEnum<Value>>;

/** A string on the wire that becomes a {@link Secret}. */
export const secret = () =>
  sensitive(
    "secret",
    z.codec(z.string(), z.custom<Secret>(isSecret), {
      decode: (value) => new Secret(value),
      encode: (value) => value.reveal(),
    }),
  );

const signedLinks = new WeakSet<z.core.$ZodType>();

/** A link that opens without a login. It is hidden like personal data, and a mirror never stores it. */
export const signedLink = () => {
  const link = sensitive("personal", z.string());
  signedLinks.add(link);
  return link;
};

export const isSignedLink = (schema: z.core.$ZodType): boolean => signedLinks.has(schema);
