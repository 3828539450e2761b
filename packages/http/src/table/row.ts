import type * as z from "zod/mini";
import type { Result } from "./result.ts";

/** Method and path as the contract writes them. */
export type Route = `${"GET" | "POST" | "PUT" | "DELETE"} /${string}`;

/** One row of a table: all facts of an endpoint. */
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
  readonly body: z.core.$ZodType | undefined;
  /** Body fields that the row itself says, such as the `type` that tells it from its siblings. */
  readonly fixed: Readonly<Record<string, unknown>>;
  readonly result: Result;
  /** What each error status means. */
  readonly errors: Readonly<Record<number, string>>;
  /** The canonical example, as it is sent on the wire; its types are those of the wire. */
  readonly sample: { readonly input: WireInput; readonly output: WireOutput };
  /** The status of success. */
  readonly status: number;
  /**
   * The spec does not show the record, so the schema of it is a guess: another record is drift and never an error, and a
   * call accepts a caller's schema in its place. Mark a single field with `guess` of `@fieldmesh/core/schema`.
   */
  readonly open: boolean;
  /** Every call carries an idempotency key. A POST is repeated where the caller says that the deployment honours it. */
  readonly idempotencyKey: boolean;
  /** Only in the type: what a method of this row accepts and returns. */
  readonly "~types"?: { input: (input: Input) => void; output: Output; trait: Trait };
}

/** Rows of one resource, by the name of their method. */
export type Table = Readonly<Record<string, Endpoint>>;

/** Fields by name. */
export type Shape = Readonly<Record<string, z.core.$ZodType>>;
