// Why it is so: docs/decisions/01-endpoints-are-rows.md
import type * as z from "@fieldmesh/core/internal/zod";
import type { Kind, OutputOf, Result, WireOf } from "./result.ts";
import type { Endpoint, Route, Shape } from "./row.ts";

type NoFields = Record<never, never>;
type ParamsOf<R> = R extends `${string}:${infer Name}/${infer Rest}`
  ? Name | ParamsOf<`/${Rest}`>
  : R extends `${string}:${infer Name}`
    ? Name
    : never;
type End = "input" | "output";
type Side<S, At extends End> = S extends z.core.$ZodType
  ? { input: z.input<S>; output: z.output<S> }[At]
  : NoFields;
type Fields<S extends Shape, At extends End> = keyof S extends never
  ? NoFields
  : Side<z.core.$ZodObject<S, z.core.$strip>, At>;
/** Flattens a type, so that a hover shows its fields. A union stays a union. */
type Flat<T> = T extends unknown ? { [K in keyof T]: T[K] } : never;
/** Keeps the name of a body type if the input is nothing but the body. */
type Merge<P extends Shape, Q extends Shape, B, At extends End> = keyof P | keyof Q extends never
  ? Side<B, At>
  : Flat<Fields<P, At> & Fields<Q, At> & Side<B, At>>;

const EMPTY = { path: {}, query: {}, body: undefined, fixed: {}, errors: {} };
const USUAL = { status: 200, open: false, mayBeAbsent: false, idempotencyKey: false };

/**
 * Declares an endpoint as data. The method, the sandbox, the docs and the tests all read this row.
 *
 * The input is one flat object with path parameters, query and body fields.
 *
 * @example
 * ```ts
 * const get = endpoint("GET /api/v1/labels/:label_id", {
 *   path: { label_id: z.guid() },
 *   result: Label,
 *   errors: { 404: "Label not found" },
 * });
 * ```
 */
export function endpoint<
  const R extends Route,
  Res extends Result,
  P extends Shape = NoFields,
  Q extends Shape = NoFields,
  B extends z.core.$ZodType | undefined = undefined,
  const Open extends Endpoint["open"] = false,
  const Keyed extends boolean = false,
  const Absent extends boolean = false,
>(
  route: R,
  row: {
    query?: Q;
    body?: B;
    result: Res;
    open?: Open;
    mayBeAbsent?: Absent;
    idempotencyKey?: Keyed;
  } & Partial<Pick<Endpoint, "fixed" | "errors" | "status" | "readByRecord">> &
    ([ParamsOf<R>] extends [never]
      ? { path?: NoFields }
      : { path: P & Readonly<Record<ParamsOf<R>, z.core.$ZodType>> }),
): Endpoint<
  Merge<P, Q, B, "output">,
  | OutputOf<Res>
  | (Open extends "optional" ? undefined : never)
  | (Absent extends true ? undefined : never),
  Kind<Res> | (Open extends false ? never : "open") | (Keyed extends true ? "keyed" : never),
  Merge<P, Q, B, "input">,
  WireOf<Res>
> {
  // The type declares more about the row than the compiler infers from a spread.
  return { ...EMPTY, ...USUAL, route, ...row } as never;
}
