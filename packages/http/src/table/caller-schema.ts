import type { InferSchema, Schema } from "@fieldmesh/core";

/** Options with a schema of the caller's, of any library that follows Standard Schema. */
export type Open<Options, S> = Options & { schema?: S };

/** A schema, or none. */
export type Given = Schema | undefined;

/** A schema describes one record, also where the response is a list of records. */
export type As<O, S> = S extends Schema
  ? O extends readonly unknown[]
    ? InferSchema<S>[]
    : InferSchema<S>
  : O;
