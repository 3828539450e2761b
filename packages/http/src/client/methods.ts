import type { CallOptions, IdempotentCallOptions } from "../options/call-options.ts";
import type { Endpoint } from "../table/row.ts";
import type { Pager } from "../pager/page.ts";
import type { PagerOptions } from "../pager/pager-options.ts";
import type { As, Open, RecordOf } from "../table/caller-schema.ts";

/** The methods of a table. Each keeps the doc comment of its row. */
export type Methods<T> = { [K in keyof T]: MethodOf<T[K]> };

type MethodOf<E> =
  E extends Endpoint<infer I, infer O, infer Trait>
    ? "page" extends Trait
      ? PageMethod<I, O, PagerOptions>
      : "open" extends Trait
        ? OpenMethod<I, O, OptionsOf<Trait>>
        : Method<I, O, OptionsOf<Trait>>
    : never;

type OptionsOf<Trait> = "keyed" extends Trait ? IdempotentCallOptions : CallOptions;

/** All fields of all members of an input type. */
type KeyOf<I> = I extends unknown ? keyof I : never;

/** A method. A row without fields accepts only options. A row without required fields can be called without input. */
type Method<I, O, Options> = [KeyOf<I>] extends [never]
  ? (options?: Options) => Promise<O>
  : Partial<I> extends I
    ? (input?: I, options?: Options) => Promise<O>
    : (input: I, options?: Options) => Promise<O>;

/**
 * A method for a record that the spec does not describe. With a user's schema, the output has the type of that schema. It has one
 * signature, because two would double every type error, and a type parameter with a default, so that a hover shows the name of
 * the record.
 */
export type OpenMethod<I, O, Options> = [KeyOf<I>] extends [never]
  ? <T = RecordOf<O>>(options?: Open<Options, T>) => Promise<As<O, T>>
  : Partial<I> extends I
    ? <T = RecordOf<O>>(input?: I, options?: Open<Options, T>) => Promise<As<O, T>>
    : <T = RecordOf<O>>(input: I, options?: Open<Options, T>) => Promise<As<O, T>>;

/** A method of a paged list. */
export type PageMethod<I, O, Options> =
  Partial<I> extends I
    ? <T = O>(input?: I, options?: Open<Options, T>) => Pager<As<O, T>>
    : <T = O>(input: I, options?: Open<Options, T>) => Pager<As<O, T>>;
