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

/** Facts of a paged list beside its records. */
export interface PageFacts {
  /** The fields that together name a record, and never change. @default all of the record */
  readonly key?: readonly string[] | undefined;
  /** A 400 to a cursor means that it has expired. @default false - only where the body says so */
  readonly cursorExpires?: boolean | undefined;
  /** The spec does not show the page: a list alone, or the only list of a record, is one too. @default false */
  readonly isGuess?: boolean | undefined;
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
export function page<S extends z.core.$ZodType>(schema: S, facts: PageFacts = {}): PageResult<S> {
  return { kind: "page", schema, ...facts };
}

/** Declares that the response is text, whatever its content-type; the method returns it as a string. */
export function text(): TextResult {
  return { kind: "text" };
}

export type Kind<R> = R extends { kind: infer K extends string } ? K : "plain";

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
