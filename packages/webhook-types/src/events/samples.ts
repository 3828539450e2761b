import type { Secret } from "@fieldmesh/core";

/** The samples of a family by type: the `data` of each in wire format. */
export type Samples<Family> = {
  readonly [Type in keyof Family]: Family[Type] extends { data: infer Data } ? Wire<Data> : never;
};

type Wire<Value> = Value extends Secret
  ? string
  : Value extends object
    ? { readonly [Key in keyof Value]: Wire<Value[Key]> }
    : Value;
