import type { Schema } from "@fieldmesh/core";

/** Options with a schema of the caller's, of any library that follows Standard Schema. */
export type Open<Options, T> = Options & {
  /** What one record is, in place of the type and the checks of the client: a schema of zod, valibot, ArkType or another library that follows Standard Schema. */
  schema?: Schema<T> | undefined;
};

/** One record of an output: a schema describes one, also where the response is a list of them. */
export type RecordOf<O> = O extends readonly (infer R)[] ? R : O;

/** The output, with the records that a schema describes. */
export type As<O, T> = O extends readonly unknown[] ? Chosen<T>[] : Chosen<T>;

/**
 * The type itself. Written so that the compiler takes it from the schema alone, never from what the caller assigns the output to,
 * and so that a hover shows its name; NoInfer would be a part of the name.
 */
export type Chosen<T> = [T][T extends unknown ? 0 : never];
