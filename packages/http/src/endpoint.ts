import type * as z from "zod";
import type { Kind, OutputOf, Result, WireOf } from "./result.js";

/** Method and path as the contract writes them. */
export type Route = `${"GET" | "POST" | "PUT" | "DELETE"} /${string}`;

/** One row of a table: everything that is known of an endpoint. */
export interface Endpoint<
  Input = never,
  Output = unknown,
  Trait extends string = string,
  WireInput = Readonly<Record<string, unknown>>,
  WireOutput = unknown,
> {
  readonly route: Route;
  readonly path: Shape;
  readonly query: Shape;
  readonly body: z.ZodType | undefined;
  /** Body fields that the row itself says, such as the `type` that tells it from its siblings. */
  readonly fixed: Readonly<Record<string, unknown>>;
  readonly result: Result;
  /** What each error status means. */
  readonly errors: Readonly<Record<number, string>>;
  /** The canonical example, as it stands on the wire; its types are those of the wire. */
  readonly sample: { readonly input: WireInput; readonly output: WireOutput };
  /** The status of success. */
  readonly status: number;
  /** The spec leaves the record open: a call takes a caller's schema. */
  readonly open: boolean;
  /** Every call carries an idempotency key, so that a POST can be sent again. */
  readonly idempotencyKey: boolean;
  /** Only in the type: what a method of this row takes and gives. */
  readonly "~types"?: { input: (input: Input) => void; output: Output; trait: Trait };
}

/** Rows of one resource, by the name of their method. */
export type Table = Readonly<Record<string, Endpoint>>;

type Shape = Readonly<Record<string, z.ZodType>>;
type NoFields = Record<never, never>;
type ParamsOf<R> = R extends `${string}:${infer Name}/${infer Rest}`
  ? Name | ParamsOf<`/${Rest}`>
  : R extends `${string}:${infer Name}`
    ? Name
    : never;
/** Written so that a hover shows the fields and not how they were put together. */
type Flat<T> = T extends infer O ? { [K in keyof O]: O[K] } : never;
type End = "input" | "output";
type Side<S, At extends End> = S extends z.ZodType
  ? At extends "input"
    ? z.input<S>
    : z.output<S>
  : NoFields;
type Fields<S extends Shape, At extends End> = keyof S extends never
  ? NoFields
  : Side<z.ZodObject<S>, At>;
/** A named body type keeps its name where the input is nothing but the body. */
type Merge<P extends Shape, Q extends Shape, B, At extends End> = keyof P | keyof Q extends never
  ? Side<B, At>
  : Side<B, At> extends infer Body
    ? Body extends unknown
      ? Flat<Fields<P, At> & Fields<Q, At> & Body>
      : never
    : never;

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
  B extends z.ZodType | undefined = undefined,
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
    : { path: P & Readonly<Record<ParamsOf<R>, z.ZodType>> }),
): Endpoint<
  Merge<P, Q, B, "output">,
  OutputOf<Res>,
  Kind<Res> | (Open extends true ? "open" : never) | (Keyed extends true ? "keyed" : never),
  Merge<P, Q, B, "input">,
  WireOf<Res>
> {
  const {
    path = {},
    query = {},
    body,
    fixed = {},
    result,
    errors = {},
    status = 200,
    open = false,
    idempotencyKey = false,
  } = row;
  const { sample } = row;
  return { route, path, query, body, fixed, result, errors, sample, status, open, idempotencyKey };
}
