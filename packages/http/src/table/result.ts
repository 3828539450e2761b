import type * as z from "zod/mini";

/** A response whose record is under the key `data`. */
export interface DataResult<S extends z.core.$ZodType = z.core.$ZodType> {
  readonly kind: "data";
  readonly schema: S;
}

/** A paged response: records under `data`, the token to the next page under `cursor`. */
export interface PageResult<S extends z.core.$ZodType = z.core.$ZodType> extends PageFacts {
  readonly kind: "page";
  readonly schema: S;
}

/** How a list is split into parts by time. */
export interface PartsByTime {
  /** The query parameters of the first and the last time; without them the caller must name them. */
  readonly min?: string | undefined;
  readonly max?: string | undefined;
  /** The field of a record that says its time: an ISO 8601 string, or seconds since 1970. */
  readonly field: string;
  /** Reads a time as the service does, in milliseconds since 1970; `undefined` where it is none. `base` is what a relative time counts back from. */
  readonly readTime: (text: string, base: number) => number | undefined;
}

/** A paged response of a list that can be split by time. */
export interface TimedPageResult<
  S extends z.core.$ZodType = z.core.$ZodType,
> extends PageResult<S> {
  readonly parts: PartsByTime;
}

/** Facts of a paged list beside its records. */
export interface PageFacts {
  /** The fields that together name a record, and never change. @default all of the record */
  readonly key?: readonly string[] | undefined;
  /** A 400 to a cursor means that it has expired. @default false - only where the body says so */
  readonly cursorExpires?: boolean | undefined;
  /** The spec does not show the page: a list alone, or the only list of a record, is one too. @default false */
  readonly isGuess?: boolean | undefined;
  /** How the list is split by time. @default it is not */
  readonly parts?: PartsByTime | undefined;
}

/** A response that is text. */
export interface TextResult {
  readonly kind: "text";
}

/** What a row returns: a schema for a plain JSON body, or one of the branded kinds. */
export type Result = z.core.$ZodType | DataResult | PageResult | TextResult;

/** Declares that the record is under `data`; the method returns the record. */
export function data<S extends z.core.$ZodType>(schema: S): DataResult<S> {
  return { kind: "data", schema };
}

/** Declares a cursor-paged list; the method returns a pager over its records. */
export function page<S extends z.core.$ZodType>(
  schema: S,
  facts: PageFacts & { readonly parts: PartsByTime },
): TimedPageResult<S>;
export function page<S extends z.core.$ZodType>(schema: S, facts?: PageFacts): PageResult<S>;
export function page<S extends z.core.$ZodType>(schema: S, facts: PageFacts = {}): PageResult<S> {
  return { kind: "page", schema, ...facts };
}

/** Declares that the response is text, whatever its content-type; the method returns it as a string. */
export function text(): TextResult {
  return { kind: "text" };
}

export type Kind<R> = R extends { kind: infer K extends string }
  ? K | (R extends TimedPageResult ? "timed" : never)
  : "plain";

/** What is sent on the wire. */
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

/** What the method resolves to; for a page, one record of it. */
export type OutputOf<R> = R extends DataResult<infer S> | PageResult<infer S>
  ? z.output<S>
  : R extends TextResult
    ? string
    : R extends z.core.$ZodType
      ? z.output<R>
      : never;

/** The kind of a result at run time. */
export function kindOf(result: Result): "plain" | "data" | "page" | "text" {
  return "kind" in result ? result.kind : "plain";
}
