// The part of zod that our packages use, which the build copies into core once: zod/mini reads 92 files, most of them languages.
// Each name is listed, because a bundle keeps all of a namespace such as `z.util`.
// The clients declare a choice of values with `literal`: `enum` and `null` would be further kinds of schemas in their bundles.
// Why it is so: docs/decisions/34-zod-inside-core.md
import * as z from "zod/mini";
import { _isoDateTime } from "zod/v4/core";

export type * from "zod/mini";

/** Like `z.iso`, with what we use. */
export const iso = {
  datetime: (params?: Parameters<typeof z.iso.datetime>[0]): z.ZodMiniISODateTime =>
    _isoDateTime(z.ZodMiniISODateTime, params),
};

export {
  _default,
  array,
  bigint,
  boolean,
  catchall,
  clone,
  codec,
  compile,
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
  safeDecode,
  safeEncode,
  safeParse,
  strictObject,
  string,
  transform,
  tuple,
  union,
  unknown,
} from "zod/mini";
