import type { Endpoint, SampleOf, Samples, Table } from "@fieldmesh/http/internal";

/** A row with its example. */
export type SampledRow<E extends Endpoint = Endpoint> = E & { readonly sample: SampleOf<E> };

/** Tables of a service whose rows have their examples. */
export type SampledTables<T extends Readonly<Record<string, Table>>> = {
  readonly [Resource in keyof T]: {
    readonly [Name in keyof T[Resource]]: SampledRow<T[Resource][Name]>;
  };
};

/** Adds the examples of a client to its rows, for {@link serve}. A row without an example does not compile, nor the reverse. */
export function withSamples<T extends Readonly<Record<string, Table>>>(
  tables: T,
  samples: { readonly [Resource in keyof T]: Samples<T[Resource]> },
): SampledTables<T> {
  const sampled = mapValues(tables, (table, resource) =>
    mapValues(table, (row, name) => ({ ...row, sample: samples[resource]?.[name] })),
  );
  // The values have the names of the tables, which the compiler does not see.
  return sampled as never;
}

function mapValues<V, W>(
  record: Readonly<Record<string, V>>,
  change: (value: V, key: string) => W,
): Record<string, W> {
  return Object.fromEntries(
    Object.entries(record).map(([key, value]) => [key, change(value, key)]),
  );
}
