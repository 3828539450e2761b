import type { Schema } from "@fieldmesh/core";

/** Options with a user's schema, from any library that follows Standard Schema. */
export type Open<Options, T> = Options & {
  /**
   * The schema of one record. It replaces the type and the checks of the client. Accepts a schema of zod, valibot, ArkType or any
   * other library that follows Standard Schema.
   */
  schema?: Schema<T> | undefined;
};

/** One record of an output. A schema describes one record, even if the response is a list of them. */
export type RecordOf<O> = O extends readonly (infer R)[] ? R : Exclude<O, undefined>;

/** The output, with the records that a schema describes. It remains `undefined` if the response has no body. */
export type As<O, T> = O extends readonly unknown[]
  ? Chosen<T>[]
  : O extends undefined
    ? undefined
    : Chosen<T>;

/**
 * The type itself. The compiler infers it from the schema alone, never from the variable that the output is assigned to. A hover
 * shows its name; NoInfer would be a part of that name.
 */
export type Chosen<T> = [T][T extends unknown ? 0 : never];
