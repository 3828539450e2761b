/** Whether it has what an IdempotencyStore or an Inbox needs at least. */
export function isStore(value: unknown): boolean {
  return hasMethod(value, "claim") || hasMethod(value, "run");
}

export function hasMethod(value: unknown, name: string): boolean {
  try {
    return typeof (value as Record<string, unknown> | null | undefined)?.[name] === "function";
  } catch {
    // A getter or a proxy throws.
    return false;
  }
}
