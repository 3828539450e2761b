import * as z from "zod/mini";
import type { OpenEnum } from "../open-enum.ts";

export type { OpenEnum } from "../open-enum.ts";

/**
 * A record of a response: the declared fields are checked and typed, all others are kept.
 *
 * `z.object` would drop the others, and `z.looseObject` types them, so that a misspelt field name
 * compiles; here a field that a newer server adds is there at run time and a typo is still an error.
 *
 * @example
 * ```ts
 * const Label = record({ id: z.guid(), name: z.string() });
 * ```
 */
export function record<Shape extends z.core.$ZodLooseShape>(
  shape: Shape,
): z.ZodMiniObject<Shape, z.core.$strip> {
  // The one place where the type says less than the value holds.
  return z.looseObject(shape) as unknown as z.ZodMiniObject<Shape, z.core.$strip>;
}

/**
 * A schema that decodes to a named interface, so that hovers show the name and not the fields.
 *
 * @example
 * ```ts
 * const labelFields = record({ id: z.guid(), name: z.string() });
 * interface Label extends z.output<typeof labelFields> {}
 * const Label: SchemaOf<Label, typeof labelFields> = labelFields;
 * ```
 */
export type SchemaOf<Output, Fields extends z.core.$ZodType> = z.core.$ZodType<
  Output,
  z.input<Fields>
>;

/**
 * Text of which some values are known: they complete in an editor, any other value is accepted.
 *
 * @example
 * ```ts
 * const Category = openEnum("uplink", "downlink");
 * Category.parse("something_new"); // fine
 * ```
 */
export function openEnum<const Known extends string>(
  ...known: readonly Known[]
): z.ZodMiniType<OpenEnum<Known>, OpenEnum<Known>> {
  return z.string().check(z.meta({ examples: [...known] })) as unknown as z.ZodMiniType<
    OpenEnum<Known>,
    OpenEnum<Known>
  >;
}

/**
 * A list that some deployments return as a single record: always a list for the caller.
 *
 * @example
 * ```ts
 * const Organizations = oneOrMany(Organization);
 * ```
 */
export function oneOrMany<S extends z.core.$ZodType>(
  item: S,
): z.ZodMiniType<z.output<S>[], z.input<S> | z.input<S>[]> {
  return z.codec(z.custom<z.input<S> | z.input<S>[]>(), z.array(item), {
    decode: (value) => (Array.isArray(value) ? value : [value]) as z.input<S>[],
    encode: (value) => value,
  }) as z.ZodMiniType<z.output<S>[], z.input<S> | z.input<S>[]>;
}

/**
 * A record that some deployments return inside a list: the first one for the caller; an empty list is rejected.
 *
 * @example
 * ```ts
 * const Found = firstOf(DeviceDescriptor);
 * ```
 */
export function firstOf<S extends z.core.$ZodType>(
  item: S,
): z.ZodMiniType<z.output<S>, z.input<S> | z.input<S>[]> {
  return z.codec(z.custom<z.input<S> | z.input<S>[]>(), item, {
    decode: (value) => (Array.isArray(value) ? value[0] : value) as z.input<S>,
    encode: (value) => value,
  }) as z.ZodMiniType<z.output<S>, z.input<S> | z.input<S>[]>;
}
