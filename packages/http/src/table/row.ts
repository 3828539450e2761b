import type * as z from "@fieldmesh/core/internal/zod";
import type { Result } from "./result.ts";

/** The method and path of the contract. */
export type Route = `${"GET" | "POST" | "PUT" | "DELETE"} /${string}`;

/** A row of a table: all facts about an endpoint. */
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
  /** Body fields that the row sets, such as the `type` that distinguishes it from its siblings. */
  readonly fixed: Readonly<Record<string, unknown>>;
  readonly result: Result;
  /** The meaning of each error status. */
  readonly errors: Readonly<Record<number, string>>;
  /** The status of a success. */
  readonly status: number;
  /**
   * The spec does not describe the record, so its schema is a guess. Another record is drift and never an error, and a call
   * accepts a user's schema. To mark a single field, use `guess` of `@fieldmesh/core/internal/schema`.
   *
   * `"optional"`: a write for which the spec shows no body. Without a body the output is `undefined`. `"lookUp"`: the same, but
   * the client looks the record up, so the type of the output is the record.
   */
  readonly open: boolean | "optional" | "lookUp";
  /** A lookup that returns `undefined` for a 404 with the service's own body. */
  readonly mayBeAbsent: boolean;
  /** Every call carries an idempotency key. A POST is repeated if the caller says that the deployment supports the key. */
  readonly idempotencyKey: boolean;
  /** The method that reads the same list record by record, such as `devices.each`. @default none */
  readonly readByRecord?: string | undefined;
  /** Exists only in the type: the input and output of a method of this row, and the same in wire format. */
  readonly "~types"?: {
    input: (input: Input) => void;
    output: Output;
    trait: Trait;
    wire: Sample<WireInput, WireOutput>;
  };
}

/** The example of an endpoint, in wire format and with wire types. */
export interface Sample<WireInput = Readonly<Record<string, unknown>>, WireOutput = unknown> {
  readonly input: WireInput;
  readonly output: WireOutput;
}

/** The examples of the rows of a table: one for each row, which the type of the row checks. */
export type Samples<T extends Table> = { readonly [Name in keyof T]: SampleOf<T[Name]> };

/** The input and output of a row, in wire format. */
export type SampleOf<E extends Endpoint> = NonNullable<E["~types"]>["wire"];

/** The rows of one resource, by method name. */
export type Table = Readonly<Record<string, Endpoint>>;

/** Fields by name. */
export type Shape = Readonly<Record<string, z.core.$ZodType>>;
