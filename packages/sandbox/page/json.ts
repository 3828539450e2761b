/** Parses JSON. An integer that a number would round becomes a bigint. */
export function parse(text: string): unknown {
  return JSON.parse(text, (_key, value: unknown, context?: { readonly source?: string }) =>
    typeof value === "number" &&
    Number.isInteger(value) &&
    !Number.isSafeInteger(value) &&
    /^-?\d+$/.test(context?.source ?? "")
      ? BigInt(context!.source!)
      : value,
  );
}

/** `JSON.rawJSON` writes a number as it is. TypeScript does not know it yet. */
const { rawJSON } = JSON as unknown as { readonly rawJSON?: (text: string) => unknown };

/** Writes JSON, and each bigint as an integer. */
export function stringify(value: unknown, space?: number): string {
  return JSON.stringify(
    value,
    (_key, each: unknown) =>
      typeof each === "bigint" ? (rawJSON?.(String(each)) ?? String(each)) : each,
    space,
  );
}

/** What the sandbox writes in place of a value that it does not show. */
const HIDDEN: ReadonlySet<unknown> = new Set(["[redacted]", "[undeclared]", "[too deep]"]);

/** Tells whether a value was hidden. */
export function isHidden(value: unknown): boolean {
  return HIDDEN.has(value);
}
