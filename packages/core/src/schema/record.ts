import * as z from "../zod.ts";
import { presenceOf } from "./shown.ts";
import type { OpenEnum } from "../open-enum.ts";

export type { OpenEnum } from "../open-enum.ts";

/**
 * Declares a record of a response. The declared fields are checked and typed, and all others are kept.
 *
 * `z.object` would drop the others. `z.looseObject` adds a type for them, so a misspelled field name compiles. Here, a field that a
 * newer server adds exists at run time, and a typo is still a compile error.
 */
export function record<Shape extends z.core.$ZodLooseShape>(
  shape: Shape,
): z.ZodMiniObject<Shape, z.core.$strip> {
  const fields = z.looseObject(shape);
  const presence = presenceOf(shape);
  // The only place where the type declares less than the value contains.
  return (presence === undefined ? fields : fields.check(presence)) as unknown as z.ZodMiniObject<
    Shape,
    z.core.$strip
  >;
}

/** Declares a record of the same fields of which any may be absent. */
export function partial<Shape extends z.core.$ZodShape>(
  fields: z.ZodMiniObject<Shape, z.core.$strip>,
) {
  // zod's own does not accept a record with checks.
  const bare = z.looseObject(fields._zod.def.shape);
  return z.partial(bare as unknown as z.ZodMiniObject<Shape, z.core.$strip>);
}

/** A schema that decodes to a named interface, so that hovers show the name instead of the fields. */
export type SchemaOf<Output, Fields extends z.core.$ZodType> = z.core.$ZodType<
  Output,
  z.input<Fields>
>;

/** Declares a string with some known values. An editor completes them, and any other value is accepted. */
export function openEnum<const Known extends string>(
  ...known: readonly Known[]
): z.ZodMiniType<OpenEnum<Known>, OpenEnum<Known>> {
  return z.string().check(z.meta({ examples: [...known] })) as unknown as z.ZodMiniType<
    OpenEnum<Known>,
    OpenEnum<Known>
  >;
}

/** Declares a list that some deployments return as a single record. You always get a list. */
export function oneOrMany<S extends z.core.$ZodType>(
  item: S,
): z.ZodMiniType<z.output<S>[], z.input<S> | z.input<S>[]> {
  return z.codec(z.custom<z.input<S> | z.input<S>[]>(), z.array(item), {
    decode: (value) => (Array.isArray(value) ? value : [value]) as z.input<S>[],
    encode: (value) => value,
  }) as z.ZodMiniType<z.output<S>[], z.input<S> | z.input<S>[]>;
}

/** Declares a record that some deployments return inside a list. You get the first record. An empty list is rejected. */
export function firstOf<S extends z.core.$ZodType>(
  item: S,
): z.ZodMiniType<z.output<S>, z.input<S> | z.input<S>[]> {
  return z.codec(z.custom<z.input<S> | z.input<S>[]>(), item, {
    decode: (value) => (Array.isArray(value) ? value[0] : value) as z.input<S>,
    encode: (value) => value,
  }) as z.ZodMiniType<z.output<S>, z.input<S> | z.input<S>[]>;
}
