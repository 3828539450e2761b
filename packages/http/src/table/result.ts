import type * as z from "@fieldmesh/core/internal/zod";

/** A response with its record under the key `data`. */
export interface DataResult<S extends z.core.$ZodType = z.core.$ZodType> {
  readonly kind: "data";
  readonly schema: S;
}

/** A paged response: records under `data`, the token of the next page under `cursor`. */
export interface PageResult<S extends z.core.$ZodType = z.core.$ZodType> extends PageDetails {
  readonly kind: "page";
  readonly schema: S;
}

/** How a list is split into parts by time. */
export interface PartsByTime {
  /** The query parameters of the first and the last time. Without them, the caller must name them. */
  readonly min?: string | undefined;
  readonly max?: string | undefined;
  /** The field of a record with its time: an ISO 8601 string, or seconds since 1970. */
  readonly field: string;
  /**
   * Reads a time as the service does, in milliseconds since 1970. Returns `undefined` if it is not a time. `base` is the start of
   * a relative time.
   */
  readonly readTime: (text: string, base: number) => number | undefined;
}

/** A paged response of a list that can be split by time. */
export interface TimedPageResult<
  S extends z.core.$ZodType = z.core.$ZodType,
> extends PageResult<S> {
  readonly parts: PartsByTime;
}

/** Facts about a paged list besides its records. */
export interface PageDetails {
  /** The fields that together identify a record and never change. @default the whole record */
  readonly key?: readonly string[] | undefined;
  /** A 400 for a cursor means that it has expired. @default false - only if the body says so */
  readonly cursorExpires?: boolean | undefined;
  /** The spec does not describe the page: a list alone, or the only list of a record, is accepted too. @default false */
  readonly isGuess?: boolean | undefined;
  /** How the list is split by time. @default not split */
  readonly parts?: PartsByTime | undefined;
}

/** A response that is a string. */
export interface TextResult {
  readonly kind: "text";
}

/** What a row returns: a schema of a plain JSON body, or one of the branded kinds. */
export type Result = z.core.$ZodType | DataResult | PageResult | TextResult;

/** Declares that the record is under `data`. The method returns the record. */
export function data<S extends z.core.$ZodType>(schema: S): DataResult<S> {
  return { kind: "data", schema };
}

/** Declares a list that is paged by cursor. The method returns a pager over its records. */
export function page<S extends z.core.$ZodType>(
  schema: S,
  context: PageDetails & { readonly parts: PartsByTime },
): TimedPageResult<S>;
export function page<S extends z.core.$ZodType>(schema: S, context?: PageDetails): PageResult<S>;
export function page<S extends z.core.$ZodType>(
  schema: S,
  context: PageDetails = {},
): PageResult<S> {
  return { kind: "page", schema, ...context };
}

/** Declares that the response is a string, whatever its content type. The method returns it. */
export function text(): TextResult {
  return { kind: "text" };
}

export type Kind<R> = R extends { kind: infer K extends string }
  ? K | (R extends TimedPageResult ? "timed" : never)
  : "plain";

/** The wire format of a result. */
export type WireOf<R> =
  R extends DataResult<infer S>
    ? { data: z.input<S>; meta?: unknown }
    : R extends PageResult<infer S>
      ? { data: z.input<S>[]; cursor?: string; meta?: unknown }
      : R extends TextResult
        ? string
        : R extends z.core.$ZodType
          ? z.input<R>
          : never;

/** The output of a method. For a page, one of its records. */
export type OutputOf<R> = R extends DataResult<infer S> | PageResult<infer S>
  ? z.output<S>
  : R extends TextResult
    ? string
    : R extends z.core.$ZodType
      ? z.output<R>
      : never;

/** Returns the kind of a result at run time. */
export function kindOf(result: Result): "plain" | "data" | "page" | "text" {
  return "kind" in result ? result.kind : "plain";
}
