import type * as z from "zod/mini";
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
/** Written so that a hover shows the fields and not how they were put together; a union stays one. */
type Flat<T> = T extends unknown ? { [K in keyof T]: T[K] } : never;
/** A named body type keeps its name where the input is nothing but the body. */
type Merge<P extends Shape, Q extends Shape, B, At extends End> = keyof P | keyof Q extends never
  ? Side<B, At>
  : Flat<Fields<P, At> & Fields<Q, At> & Side<B, At>>;

const EMPTY = { path: {}, query: {}, body: undefined, fixed: {}, errors: {} };
const USUAL = { status: 200, open: false, idempotencyKey: false };

/**
 * Declares an endpoint as data. The method, the sandbox, the docs and the tests all read this one row.
 *
 * Input is one flat object: path parameters, query and body fields together.
 *
 * @example
 * ```ts
 * const get = endpoint("GET /api/v1/labels/:label_id", {
 *   path: { label_id: z.guid() },
 *   result: Label,
 *   errors: { 404: "Label not found" },
 *   sample: { input: { label_id: label.id }, output: label },
 * });
 * ```
 */
export function endpoint<
  const R extends Route,
  Res extends Result,
  P extends Shape = NoFields,
  Q extends Shape = NoFields,
  B extends z.core.$ZodType | undefined = undefined,
  const Open extends boolean = false,
  const Keyed extends boolean = false,
>(
  route: R,
  row: {
    query?: Q;
    body?: B;
    fixed?: Readonly<Record<string, unknown>>;
    result: Res;
    errors?: Readonly<Record<number, string>>;
    status?: number;
    open?: Open;
    idempotencyKey?: Keyed;
    sample: { input: NoInfer<Merge<P, Q, B, "input">>; output: NoInfer<WireOf<Res>> };
  } & ([ParamsOf<R>] extends [never]
    ? { path?: NoFields }
    : { path: P & Readonly<Record<ParamsOf<R>, z.core.$ZodType>> }),
): Endpoint<
  Merge<P, Q, B, "output">,
  OutputOf<Res>,
  Kind<Res> | (Open extends true ? "open" : never) | (Keyed extends true ? "keyed" : never),
  Merge<P, Q, B, "input">,
  WireOf<Res>
> {
  // What the type says of the row is more than the compiler sees in a spread.
  return { ...EMPTY, ...USUAL, route, ...row } as never;
}
