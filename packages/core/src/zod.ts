// The part of zod that our packages use, which the build copies into core once: zod/mini reads 92 files, most of them languages.
// Each name is listed, because a bundle keeps all of a namespace such as `z.util`.
// The clients declare a choice of values with `literal`: `enum` and `null` would be further kinds of schemas in their bundles.
// Why it is so: docs/decisions/34-zod-inside-core.md
import * as z from "zod/mini";
import { $ZodError, _isoDateTime, _safeDecode, _safeEncode, _safeParse } from "zod/v4/core";
import { hideAdded } from "./hide-added.ts";

export type * from "zod/mini";

/** Like `z.iso`, with what we use. */
export const iso = {
  datetime: (params?: Parameters<typeof z.iso.datetime>[0]): z.ZodMiniISODateTime =>
    _isoDateTime(z.ZodMiniISODateTime, params),
};

export const safeDecode: typeof z.safeDecode = /* @__PURE__ */ onAnyHost(_safeDecode);
export const safeEncode: typeof z.safeEncode = /* @__PURE__ */ onAnyHost(_safeEncode);
export const safeParse: typeof z.safeParse = /* @__PURE__ */ onAnyHost(_safeParse);

/** Returns a function of zod for a host with members on `Object.prototype`, or a frozen `Error.prototype`: its error is not an Error. */
function onAnyHost<T>(make: (error: typeof $ZodError) => T): T {
  const run = make($ZodError) as (
    schema: z.core.$ZodType,
    value: unknown,
    params?: object,
  ) => unknown;
  return ((schema, value, params) =>
    hideAdded(() => run(schema, value, params))) as typeof run as T;
}

export {
  _default,
  array,
  bigint,
  boolean,
  catchall,
  clone,
  codec,
  config,
  custom,
  decode,
  discriminatedUnion,
  encode,
  enum,
  extend,
  gt,
  gte,
  guid,
  int,
  intersection,
  lazy,
  length,
  literal,
  looseObject,
  lt,
  lte,
  maxLength,
  maximum,
  meta,
  minLength,
  minimum,
  multipleOf,
  null,
  nullable,
  nullish,
  number,
  object,
  optional,
  parse,
  partial,
  pipe,
  readonly,
  record,
  refine,
  regex,
  registry,
  strictObject,
  string,
  transform,
  tuple,
  union,
  unknown,
} from "zod/mini";
