/**
 * A schema from any library that follows Standard Schema (zod, valibot, ArkType, …).
 *
 * Declares only the part that is used, so that no such library is a dependency.
 */
export interface Schema<Output = unknown> {
  readonly "~standard": {
    readonly validate: (value: unknown) => SchemaResult<Output> | Promise<SchemaResult<Output>>;
    readonly types?: { readonly output: Output } | undefined;
  };
}

/** The result of a {@link Schema}: the value, or the issues. */
export type SchemaResult<Output> =
  | { readonly value: Output; readonly issues?: undefined }
  | { readonly issues: readonly SchemaIssue[] };

/** An issue of zod or of another library, as far as we read it. */
export interface SchemaIssue {
  readonly message: string;
  readonly path?: readonly (PropertyKey | { readonly key: PropertyKey })[] | undefined;
}

/** The output type of a schema. */
export type InferSchema<S extends Schema> = NonNullable<S["~standard"]["types"]>["output"];
